--TEST--
Spawn and suspend locations are file and line
--FILE--
<?php
use function Async\{spawn, suspend, delay};
$c = spawn(function () {
    delay(10);
});
[$file, $line] = $c->getSpawnFileAndLine();
echo basename($file), ":", $line, "\n";
suspend();
echo basename($c->getSuspendLocation()), "\n", basename($c->getSpawnLocation()), "\n";
echo implode("\n", $c->getAwaitingInfo()), "\n";
--EXPECTF--
spawn_and_suspend_locations_are_file_and_line.php:3
spawn_and_suspend_locations_are_file_and_line.php:4
spawn_and_suspend_locations_are_file_and_line.php:3
timeout in %d ms
