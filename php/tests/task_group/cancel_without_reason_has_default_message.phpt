--TEST--
cancel() without a cancellation has a default message; a cancellation is not an unobserved error
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => delay(10000));
suspend();
$group->cancel();
$group->awaitCompletion();
echo $group->getErrors()[0]->getMessage(), "\n";
unset($group);
?>
--EXPECT--
TaskGroup cancelled
