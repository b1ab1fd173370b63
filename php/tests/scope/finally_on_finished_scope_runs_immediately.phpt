--TEST--
SC-10: finally() on a finished scope runs immediately and throws to the caller
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->dispose();
$scope->finally(function ($s) use ($scope) { echo "immediately "; var_dump($s === $scope); });
try { $scope->finally(function () { throw new RuntimeException("to the caller"); }); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
immediately bool(true)
to the caller
