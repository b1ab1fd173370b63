--TEST--
CA-03: a token ends awaitCompletion(); the coroutines continue
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$c = $scope->spawn(function () { delay(20); return "continued"; });
try {
    $scope->awaitCompletion(timeout(1));
} catch (OperationCanceledException $e) {
    echo get_class($e->getPrevious()), "\n";
}
var_dump($scope->isCancelled(), await($c));
?>
--EXPECT--
Async\TimeoutException
bool(false)
string(9) "continued"
