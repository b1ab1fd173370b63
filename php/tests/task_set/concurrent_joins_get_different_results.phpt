--TEST--
Several joins at the same time get different results
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$a = $set->spawn(fn() => 1);
$set->spawn(fn() => 2);
$one = $set->joinNext();
$two = $set->joinNext();
var_dump($one->await(), $two->await());
?>
--EXPECT--
int(1)
int(2)
