--TEST--
CA-04: a cancelled waiter unsubscribes from every awaitable
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, await, await_all, suspend};
$state = new FutureState;
$future = new Future($state);
$w = spawn(fn() => await_all([$future, new Future(new FutureState)]));
suspend();
$w->cancel();
try { await($w); } catch (Cancellation $e) { echo get_class($e), "\n"; }
$state->complete("still usable");
var_dump($future->await());
?>
--EXPECT--
Async\AsyncCancellation
string(12) "still usable"
