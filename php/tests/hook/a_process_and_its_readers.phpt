--TEST--
proc_close(), and the end of a process handle, end the waits for its pipes: their readers fail
--FILE--
<?php
use function Async\{await, delay, spawn};

function started(): array
{
    $process = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    return [$process, $pipes, spawn(fn () => @fgets($pipes[1]))];
}
[$process, $pipes, $reader] = started();
fwrite($pipes[0], "a line\n");
echo await($reader);
$reader = spawn(fn () => @fgets($pipes[1]));
delay(1);
var_dump(proc_close($process), await($reader));

[$process, $pipes, $reader] = started();
delay(1);
unset($process);
var_dump(await($reader));
try {
    fgets($pipes[1]);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
a line
int(0)
bool(false)
bool(false)
fgets(): supplied resource is not a valid stream resource
