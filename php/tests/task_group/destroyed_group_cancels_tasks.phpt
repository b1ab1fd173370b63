--TEST--
Destroying a group cancels its tasks, which may still clean up
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

function work() {
    $group = new TaskGroup;
    $group->spawn(function () {
        try { delay(10000); } finally { delay(1); echo "cleaned up\n"; }
    });
    $group->spawn(fn() => delay(10000));
    suspend();
}
work();
echo "destroyed\n";
delay(5);
?>
--EXPECT--
destroyed
cleaned up
