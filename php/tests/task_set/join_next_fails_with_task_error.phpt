--TEST--
joinNext() fails with the error of its task and removes the task
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawn(fn() => throw new DomainException("bad"));
try { $set->joinNext()->await(); } catch (DomainException $e) { echo $e->getMessage(), " ", count($set), "\n"; }
?>
--EXPECT--
bad 0
