--TEST--
awaitCompletion() requires a closed group and does not throw the errors of tasks
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => throw new RuntimeException("fail"));
try { $group->awaitCompletion(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
$group->close();
$group->awaitCompletion();
var_dump(count($group->getErrors()));
?>
--EXPECT--
TaskGroup must be closed before calling awaitCompletion()
int(1)
