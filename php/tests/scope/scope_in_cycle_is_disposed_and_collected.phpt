--TEST--
A scope in a circle with its handlers is collected, and disposed of then
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
function circle(): void {
    $scope = new Scope();
    $scope->setExceptionHandler(function () use ($scope) {});
    $scope->setChildScopeExceptionHandler(function () use ($scope) {});
    $scope->finally(function () use (&$scope) { echo "over\n"; });
}
circle();
gc_collect_cycles();  // disposes of it: the finally handler lives until it has run
suspend();
echo gc_collect_cycles() > 0 ? "collected" : "left", "\n";
function busy(): void {
    $scope = new Scope();
    $scope->setExceptionHandler(function (Throwable $e) use ($scope) { echo "handled ", $e->getMessage(), "\n"; });
    $scope->spawn(function () { suspend(); throw new RuntimeException("late"); });
}
busy();
gc_collect_cycles();
suspend(); suspend(); suspend();
echo gc_collect_cycles() > 0 ? "collected" : "left", "\n";
?>
--EXPECT--
over
collected
handled late
collected
