--TEST--
Errors of child scopes reach the child scope handler, or the exception handler if there is none
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$parent = new Scope();
$parent->setExceptionHandler(function (Throwable $e) { echo "own: ", $e->getMessage(), "\n"; });
$parent->setChildScopeExceptionHandler(function ($scope, $coroutine, $e) use ($parent) { echo "child: ", $e->getMessage(), "\n"; var_dump($scope === $parent); });
$child = Scope::inherit($parent);
$child->spawn(function () { throw new RuntimeException("from the child"); });
$parent->spawn(function () { throw new RuntimeException("from here"); });
delay(1);
var_dump($child->isCancelled(), $parent->isCancelled());
$only = new Scope();
$only->setExceptionHandler(function (Throwable $e) { echo "both: ", $e->getMessage(), "\n"; });
$only_child = Scope::inherit($only);
$only_child->spawn(function () { throw new RuntimeException("from a child"); });
delay(1);
?>
--EXPECT--
child: from the child
bool(true)
own: from here
bool(true)
bool(false)
both: from a child
