--TEST--
An exception handler gets scope, coroutine and exception; other coroutines continue
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->setExceptionHandler(function ($s, $c, $e) use ($scope) {
    var_dump($s === $scope, $c instanceof Coroutine, $c->isCompleted(), $c->getException() === $e);
    echo $e->getMessage(), "\n";
});
$scope->spawn(function () { throw new RuntimeException("one"); });
$other = $scope->spawn(function () { delay(1); return "completed"; });
$scope->awaitCompletion();
var_dump(await($other), $scope->isCancelled());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
one
string(9) "completed"
bool(false)
