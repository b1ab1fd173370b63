--TEST--
joinNext() delivers each result once, in completion order
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawn(function () { delay(3); return "slow"; });
$set->spawn(fn() => "fast");
echo count($set), "\n";
echo $set->joinNext()->await(), " ", count($set), "\n";
echo $set->joinNext()->await(), " ", count($set), "\n";
?>
--EXPECT--
2
fast 1
slow 0
