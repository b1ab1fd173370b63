--TEST--
DL-01: a deadlock throws a catchable DeadlockError and prints a report
--FILE--
<?php
use function Async\{spawn, await, suspend};
$x = spawn(function () use (&$y) { suspend(); await($y); });
$y = spawn(function () use (&$x) { await($x); });
try { await($x); } catch (Async\DeadlockError $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
$x->cancel(); $y->cancel();
--EXPECTF--

Warning: deadlock: every coroutine is suspended and nothing can wake any of them
  coroutine #1 "main": suspended
    spawned at deadlock_throws_catchable_error_with_report.php:%d
    suspended at deadlock_throws_catchable_error_with_report.php:5
    waits for coroutine #2
  coroutine #2: suspended
    spawned at deadlock_throws_catchable_error_with_report.php:3
    suspended at deadlock_throws_catchable_error_with_report.php:3
    waits for coroutine #3
  coroutine #3: suspended
    spawned at deadlock_throws_catchable_error_with_report.php:4
    suspended at deadlock_throws_catchable_error_with_report.php:4
    waits for coroutine #2
  wait cycle: %s
 in %s on line %d
Async\DeadlockError: Deadlock detected: no active coroutines, 3 coroutines in waiting
