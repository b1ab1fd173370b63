--TEST--
CA-01: a coroutine that caught its own cancellation is cancelled again with its scope
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$c = $scope->spawn(function () {
    foreach ([1, 2] as $round) {
        try { delay(60000); } catch (AsyncCancellation $e) { echo $round, ": ", $e->getMessage(), "\n"; }
    }
    return "done";
});
suspend();
$c->cancel(new AsyncCancellation("first"));
suspend();
$scope->cancel(new AsyncCancellation("second"));
var_dump(await($c));
?>
--EXPECT--
1: first
2: second
string(4) "done"
