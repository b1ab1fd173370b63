--TEST--
SC-08: without a handler, errors of finally handlers propagate to the parent scope
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$parent = new Scope();
$parent->setExceptionHandler(function (Throwable $e) { echo "parent: ", $e->getMessage(), "\n"; });
$scope = Scope::inherit($parent);
$scope->finally(function () { throw new RuntimeException("from finally"); });
$scope->dispose();
$parent->awaitCompletion();
?>
--EXPECT--
parent: from finally
