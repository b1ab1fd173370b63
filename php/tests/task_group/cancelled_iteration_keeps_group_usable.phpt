--TEST--
Who iterates can be cancelled
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$c = spawn(function () use ($group) { foreach ($group as $one) {} });
suspend();
$c->cancel();
try { await($c); } catch (Cancellation $e) { echo "cancelled\n"; }
$group->spawn(fn() => "still good");
var_dump($group->race()->await());
?>
--EXPECT--
cancelled
string(10) "still good"
