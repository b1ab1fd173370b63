--TEST--
An unobserved pending signal future does not hide a deadlock
--FILE--
<?php
use Async\{Future, FutureState, Signal};
ini_set("async.debug_deadlock", "0");
$pending = Async\signal(Signal::SIGUSR1)->ignore();
try { (new Future(new FutureState))->await(); } catch (Async\DeadlockError) { echo "deadlock\n"; }
?>
--EXPECT--
deadlock
