--TEST--
A task is a coroutine with a place; a group can be used inside its own tasks
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(function () use ($group) {
    $group->spawn(fn() => "inner");
    return current_coroutine()->getSpawnLocation();
});
$all = $group->all()->await();
echo basename($all[0]), " ", $all[1], "\n";
?>
--EXPECT--
tasks_are_coroutines.php:6 inner
