--TEST--
SC-08 SC-09: all finally handlers run, and several errors reach the scope's handler as one CompositeException
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->setExceptionHandler(function ($s, $c, $e) {
    echo get_class($e), "\n";
    foreach ($e->getExceptions() as $error) echo "- ", get_class($error), ": ", $error->getMessage(), "\n";
});
$scope->finally(function () { throw new RuntimeException("one"); });
$scope->finally(function () { echo "second handler\n"; });
$scope->finally(function () { throw new LogicException("two"); });
$scope->dispose();
suspend();
$single = new Scope();
$single->setExceptionHandler(function (Throwable $e) { echo get_class($e), "\n"; });
$single->finally(function () { throw new RuntimeException("alone"); });
$single->dispose();
suspend();
?>
--EXPECT--
second handler
Async\CompositeException
- RuntimeException: one
- LogicException: two
RuntimeException
