--TEST--
SWH-04: an output buffer that a task or pool hook leaves open is flushed at its end, not passed to other coroutines
--FILE--
<?php
use function Async\{spawn, suspend, await};
$group = new Async\TaskGroup;
$group->spawn(function () { ob_start(); echo "task\n"; });
$group->close();
$group->awaitCompletion();
echo ob_get_level(), "\n";
$set = new Async\TaskSet;
$set->spawn(function () { ob_start(); echo "set\n"; });
$set->spawn(function () { echo "level ", ob_get_level(), "\n"; });
$set->close();
$set->awaitCompletion();
$pool = new Async\Pool(function () { suspend(); ob_start(); echo "pool\n"; return 1; });
await(spawn(fn() => $pool->acquire()));
echo ob_get_level(), "\n";
--EXPECT--
task
0
set
level 0
pool
0
