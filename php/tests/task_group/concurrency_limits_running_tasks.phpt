--TEST--
Not more tasks run at a time than the concurrency allows
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup(concurrency: 2);
$running = $most = 0;
for ($i = 0; $i < 10; $i++) {
    $group->spawn(function () use (&$running, &$most, $i) {
        $most = max($most, ++$running);
        delay(1);
        $running--;
        return $i;
    });
}
var_dump(array_sum($group->all()->await()), $most);
?>
--EXPECT--
int(45)
int(2)
