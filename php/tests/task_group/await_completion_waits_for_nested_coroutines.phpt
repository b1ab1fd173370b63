--TEST--
awaitCompletion() also waits for coroutines that tasks spawned
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(function () { spawn(function () { delay(5); echo "grandchild\n"; }); });
$group->close();
$group->awaitCompletion();
echo "completed\n";
?>
--EXPECT--
grandchild
completed
