--TEST--
Unobserved errors are thrown when the group is destroyed
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => throw new RuntimeException("unobserved"));
suspend();
try { unset($group); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
$group = new TaskGroup;
$group->spawn(fn() => throw new RuntimeException("one"));
$group->spawn(fn() => throw new RuntimeException("two"));
suspend();
try { $group = null; } catch (Async\CompositeException $e) { var_dump(count($e->getExceptions())); }
?>
--EXPECT--
unobserved
int(2)
