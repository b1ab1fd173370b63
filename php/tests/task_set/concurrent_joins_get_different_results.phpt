--TEST--
Concurrent joins get different results
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$a = $set->spawn(fn() => 1);
$set->spawn(fn() => 2);
$first = $set->joinNext();
$second = $set->joinNext();
var_dump($first->await(), $second->await());
?>
--EXPECT--
int(1)
int(2)
