--TEST--
A future works as a cancellation token; its error is the cause
--FILE--
<?php
use Async\{Future, FutureState, OperationCanceledException};
use function Async\{await, spawn};
$state = new FutureState();
$stop = new Future($state);
spawn(fn() => $state->error(new Exception("stop")));
try { await(new Future(new FutureState()), $stop); }
catch (OperationCanceledException $e) { echo $e->getPrevious()->getMessage(), "\n"; }
?>
--EXPECT--
stop
