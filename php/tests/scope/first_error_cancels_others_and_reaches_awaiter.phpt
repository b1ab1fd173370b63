--TEST--
The first error cancels the other coroutines of the scope and is thrown by awaitCompletion()
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->spawn(function () { delay(1); throw new RuntimeException("broken"); });
$scope->spawn(function () { try { delay(60000); } catch (AsyncCancellation) { echo "other coroutine cancelled\n"; } });
try { $scope->awaitCompletion(timeout(30000)); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
var_dump($scope->isCancelled());
?>
--EXPECT--
other coroutine cancelled
broken
bool(true)
