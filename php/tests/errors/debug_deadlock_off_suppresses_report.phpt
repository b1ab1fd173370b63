--TEST--
async.debug_deadlock=0 suppresses the deadlock report
--INI--
async.debug_deadlock=0
--FILE--
<?php
use function Async\{spawn, await, suspend};
$x = spawn(function () use (&$y) { suspend(); await($y); });
$y = spawn(function () use (&$x) { await($x); });
try { await($x); } catch (Async\DeadlockError $e) { echo $e->getMessage(), "\n"; }
$x->cancel(); $y->cancel();
--EXPECT--
Deadlock detected: no active coroutines, 3 coroutines in waiting
