--TEST--
An error that was not joined is thrown when the set is destroyed
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawn(fn() => throw new RuntimeException("unobserved"));
suspend();
try { unset($set); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
unobserved
