--TEST--
awaitAfterCancellation() before cancel() throws
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
try { $scope->awaitAfterCancellation(); } catch (AsyncException $e) { echo $e->getMessage(), "\n"; }
$scope->cancel();
$scope->awaitAfterCancellation(null, timeout(10));
echo "ok\n";
?>
--EXPECT--
await_after_cancellation: the scope is not closed; cancel or dispose it first
ok
