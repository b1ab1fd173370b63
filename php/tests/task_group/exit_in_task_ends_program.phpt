--TEST--
exit() in a task ends the program; shutdown functions run
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

register_shutdown_function(fn() => print("shutdown\n"));
$group = new TaskGroup;
$group->spawn(function () { delay(1); exit("exiting\n"); });
$group->all()->await();
echo "never\n";
?>
--EXPECT--
exiting
shutdown
