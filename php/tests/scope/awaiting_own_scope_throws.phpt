--TEST--
Awaiting the scope that the coroutine runs in throws
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->spawn(function () use ($scope) {
    try { $scope->awaitCompletion(); } catch (AsyncException $e) { echo $e->getMessage(), "\n"; }
});
$scope->awaitCompletion();
?>
--EXPECT--
await scope: the coroutine runs inside the scope and would wait for itself
