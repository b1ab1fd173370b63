--TEST--
SC-15: spawn() suspends while the queue is full
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup(concurrency: 1, queueLimit: 1);
$spawner = spawn(function () use ($group) {
    for ($i = 0; $i < 4; $i++) {
        $group->spawn(function () { delay(1); });
        echo "spawned $i\n";
    }
});
suspend();
echo "main, ", count($group), " tasks\n";
await($spawner);
$group->all()->await();
var_dump(count($group));
?>
--EXPECT--
spawned 0
spawned 1
main, 3 tasks
spawned 2
spawned 3
int(4)
