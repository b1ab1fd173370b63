--TEST--
An exception of a handler propagates to the parent scope, and the scope is cancelled
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$outer = new Scope();
$outer->setExceptionHandler(function (Throwable $e) { echo "outer: ", $e->getMessage(), "\n"; });
$inner = Scope::inherit($outer);
$inner->setExceptionHandler(function (Throwable $e) { throw new LogicException("instead of " . $e->getMessage()); });
$inner->spawn(function () { throw new RuntimeException("one"); });
suspend();
suspend();
var_dump($inner->isCancelled(), $outer->isCancelled());
?>
--EXPECT--
outer: instead of one
bool(true)
bool(false)
