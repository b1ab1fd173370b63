--TEST--
any() fails with all errors if no task succeeded
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => throw new RuntimeException("fail 1"));
$group->spawn(fn() => throw new RuntimeException("fail 2"));
try { $group->any()->await(); } catch (Async\CompositeException $e) { var_dump(count($e->getExceptions())); }
?>
--EXPECT--
int(2)
