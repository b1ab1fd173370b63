--TEST--
Classes whose objects only functions create cannot be constructed
--FILE--
<?php
foreach (['Coroutine', 'Context', 'Timeout', 'CpuSnapshot', 'FileSystemEvent', 'Thread'] as $name) {
    $class = 'Async\\' . $name;
    try {
        new $class();
        echo $name, " was constructed\n";
    } catch (Error $error) {
        echo $name, ': ', get_class($error), "\n";
    }
}
?>
--EXPECT--
Coroutine: Error
Context: Error
Timeout: Error
CpuSnapshot: Error
FileSystemEvent: Error
Thread: Error
