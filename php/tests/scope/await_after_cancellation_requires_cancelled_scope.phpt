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
Attempt to await a Scope that has not been cancelled
ok
