--TEST--
An error that nobody joined comes out where the set goes
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawn(fn() => throw new RuntimeException("lost?"));
suspend();
try { unset($set); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
lost?
