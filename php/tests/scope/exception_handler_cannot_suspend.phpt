--TEST--
An exception handler must not suspend; the attempt is an error that propagates to the parent scope
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$outer = new Scope();
$outer->setExceptionHandler(function (Throwable $e) { echo get_class($e), "\n"; });
$scope = Scope::inherit($outer);
$scope->setExceptionHandler(function (Throwable $e) { delay(1); });
$scope->spawn(function () { throw new RuntimeException("x"); });
delay(1);
?>
--EXPECT--
Async\AsyncException
