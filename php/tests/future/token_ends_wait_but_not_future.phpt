--TEST--
CA-03: a token ends the wait with OperationCanceledException and its error as previous; the future stays pending
--FILE--
<?php
use Async\{Future, FutureState, OperationCanceledException};
use function Async\{await, timeout};
$state = new FutureState();
$future = new Future($state);
foreach ([fn() => $future->await(timeout(1)), fn() => await($future, timeout(1))] as $wait) {
    try { $wait(); } catch (OperationCanceledException $e) { echo get_class($e->getPrevious()), "\n"; }
}
$state->complete("late");
var_dump($future->await());
?>
--EXPECT--
Async\TimeoutException
Async\TimeoutException
string(4) "late"
