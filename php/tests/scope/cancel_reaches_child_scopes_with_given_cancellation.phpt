--TEST--
CA-11: cancel() delivers the given cancellation to every coroutine of the scope and its child scopes
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$child = Scope::inherit($scope);
foreach ([$scope, $child] as $i => $target) {
    $target->spawn(function () use ($i) {
        try { delay(60000); } catch (AsyncCancellation $e) { echo $i, ": ", $e->getMessage(), "\n"; throw $e; }
    });
}
suspend();
$scope->cancel(new AsyncCancellation("enough"));
var_dump($scope->isCancelled(), $scope->isClosed(), $child->isCancelled());
$scope->awaitAfterCancellation();
var_dump($scope->isFinished());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
0: enough
1: enough
bool(true)
