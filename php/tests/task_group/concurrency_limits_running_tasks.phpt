--TEST--
At most `concurrency` tasks run at a time
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup(concurrency: 2);
$running = $max = 0;
for ($i = 0; $i < 10; $i++) {
    $group->spawn(function () use (&$running, &$max, $i) {
        $max = max($max, ++$running);
        delay(1);
        $running--;
        return $i;
    });
}
var_dump(array_sum($group->all()->await()), $max);
?>
--EXPECT--
int(45)
int(2)
