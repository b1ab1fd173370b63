--TEST--
A new scope is open and idle
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
var_dump($scope->isFinished(), $scope->isClosed(), $scope->isCancelled(), $scope->getChildScopes());
var_dump($scope->provideScope() === $scope);
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
array(0) {
}
bool(true)
