--TEST--
finally() handlers get the group when it is closed and finished, immediately if it already is
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->finally(function (TaskGroup $g) { delay(1); echo "finished: ", count($g), "\n"; });
$group->spawn(fn() => 1);
$group->spawn(fn() => 2);
$group->close();
$group->all()->await();
delay(5);
$group->finally(function ($g) use ($group) { var_dump($g === $group); });
echo "after\n";
?>
--EXPECT--
finished: 2
bool(true)
after
