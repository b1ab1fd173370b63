--TEST--
A fatal error in a task ends the program with an orderly shutdown
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(function () { delay(1); eval('class Twice {} class Twice {}'); });
$group->spawn(fn() => delay(1000));
$group->all()->await();
?>
--EXPECTF--
%AFatal error: Cannot %Sdeclare class Twice%a
