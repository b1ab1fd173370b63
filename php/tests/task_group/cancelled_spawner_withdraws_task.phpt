--TEST--
A spawner that is cancelled while the queue is full withdraws its task
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup(concurrency: 1, queueLimit: 1);
$group->spawn(fn() => delay(2));
$group->spawn(fn() => "queued");
$spawner = spawn(fn() => $group->spawn(fn() => print("never\n")));
suspend();
$spawner->cancel();
try { await($spawner); } catch (Cancellation $e) { echo "cancelled\n"; }
$group->all()->await();
var_dump(count($group));
?>
--EXPECT--
cancelled
int(2)
