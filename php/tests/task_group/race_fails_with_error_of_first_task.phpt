--TEST--
race() fails with the same exception object as the first finished task
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$error = new DomainException("of the first");
$group = new TaskGroup;
$group->spawn(fn() => throw $error);
$group->spawn(function () { delay(1); return 1; });
try { $group->race()->await(); } catch (DomainException $e) { var_dump($e === $error); }
var_dump($group->any()->await());
?>
--EXPECT--
bool(true)
int(1)
