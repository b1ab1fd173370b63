--TEST--
After asNotSafely(), disposeSafely() cancels, also in child scopes
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$parent = (new Scope())->asNotSafely();
$scope = Scope::inherit($parent);
$scope->spawn(function () { try { delay(60000); } catch (AsyncCancellation) { echo "cancelled\n"; } });
suspend();
$scope->disposeSafely();
var_dump($scope->isCancelled());
$scope->awaitAfterCancellation();
?>
--EXPECT--
bool(true)
cancelled
