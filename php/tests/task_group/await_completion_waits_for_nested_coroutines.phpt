--TEST--
awaitCompletion() waits for what the tasks have spawned, too
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(function () { spawn(function () { delay(5); echo "grandchild\n"; }); });
$group->close();
$group->awaitCompletion();
echo "over\n";
?>
--EXPECT--
grandchild
over
