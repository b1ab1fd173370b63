--TEST--
SC-03: dispose() cancels running coroutines
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->spawn(function () { try { delay(60000); } finally { echo "cleaned up\n"; } });
suspend();
$scope->dispose();
var_dump($scope->isClosed(), $scope->isCancelled());
$scope->awaitAfterCancellation();
?>
--EXPECT--
bool(true)
bool(true)
cleaned up
