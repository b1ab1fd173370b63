--TEST--
Errors of scopes below go to the handler for child scopes, without one to the other
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$parent = new Scope();
$parent->setExceptionHandler(function (Throwable $e) { echo "own: ", $e->getMessage(), "\n"; });
$parent->setChildScopeExceptionHandler(function ($scope, $coroutine, $e) use ($parent) { echo "below: ", $e->getMessage(), "\n"; var_dump($scope === $parent); });
$child = Scope::inherit($parent);
$child->spawn(function () { throw new RuntimeException("from the child"); });
$parent->spawn(function () { throw new RuntimeException("from here"); });
delay(1);
var_dump($child->isCancelled(), $parent->isCancelled());
$only = new Scope();
$only->setExceptionHandler(function (Throwable $e) { echo "both: ", $e->getMessage(), "\n"; });
$under = Scope::inherit($only);
$under->spawn(function () { throw new RuntimeException("from below"); });
delay(1);
?>
--EXPECT--
below: from the child
bool(true)
own: from here
bool(true)
bool(false)
both: from below
