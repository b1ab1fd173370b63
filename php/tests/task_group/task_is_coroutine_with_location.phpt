--TEST--
A task is a coroutine with a spawn location; tasks may use their own group
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
task_is_coroutine_with_location.php:6 inner
