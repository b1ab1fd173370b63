--TEST--
A scope in a cycle with its handlers is disposed and collected
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
function cycle(): void {
    $scope = new Scope();
    $scope->setExceptionHandler(function () use ($scope) {});
    $scope->setChildScopeExceptionHandler(function () use ($scope) {});
    $scope->finally(function () use (&$scope) { echo "finally\n"; });
}
cycle();
gc_collect_cycles();  // disposes the scope; its finally handler lives until it has run
suspend();
echo gc_collect_cycles() > 0 ? "collected" : "not collected", "\n";
function busy(): void {
    $scope = new Scope();
    $scope->setExceptionHandler(function (Throwable $e) use ($scope) { echo "handled ", $e->getMessage(), "\n"; });
    $scope->spawn(function () { suspend(); throw new RuntimeException("late"); });
}
busy();
gc_collect_cycles();
suspend(); suspend(); suspend();
echo gc_collect_cycles() > 0 ? "collected" : "not collected", "\n";
?>
--EXPECT--
finally
collected
handled late
collected
