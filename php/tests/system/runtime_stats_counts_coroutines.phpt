--TEST--
runtime_stats() counts coroutines and switches
--FILE--
<?php
var_dump(Async\runtime_stats()["spawned"]);
for ($i = 0; $i < 3; $i++) Async\spawn(fn() => Async\suspend());
$before = Async\runtime_stats();
Async\delay(1);
$after = Async\runtime_stats();
var_dump($before["spawned"], $before["alive"], $before["finished"], $after["alive"], $after["finished"], $after["switches"] > 0);
?>
--EXPECT--
int(0)
int(3)
int(3)
int(0)
int(0)
int(3)
bool(true)
