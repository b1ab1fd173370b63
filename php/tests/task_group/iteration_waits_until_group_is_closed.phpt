--TEST--
foreach waits for further tasks until the group is closed
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
spawn(function () use ($group) {
    foreach ([1, 2] as $i) { delay(1); $group->spawn(fn() => $i); }
    delay(1);
    $group->close();
});
foreach ($group as [$result]) echo $result, "\n";
echo "closed\n";
?>
--EXPECT--
1
2
closed
