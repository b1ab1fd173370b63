--TEST--
A coroutine that iterates a group can be cancelled; the group stays usable
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$c = spawn(function () use ($group) { foreach ($group as $result) {} });
suspend();
$c->cancel();
try { await($c); } catch (Cancellation $e) { echo "cancelled\n"; }
$group->spawn(fn() => "still usable");
var_dump($group->race()->await());
?>
--EXPECT--
cancelled
string(12) "still usable"
