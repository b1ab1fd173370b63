--TEST--
A future that nobody awaits or has chained to does not hide that the program is stuck
--FILE--
<?php
use Async\{Future, FutureState, Signal};
ini_set("async.debug_deadlock", "0");
$pending = Async\signal(Signal::SIGUSR1)->ignore();
try { (new Future(new FutureState))->await(); } catch (Async\DeadlockError) { echo "stuck\n"; }
?>
--EXPECT--
stuck
