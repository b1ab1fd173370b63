--TEST--
A scope created by new has no parent that cancels it; an inherited scope has one
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$outer = new Scope();
$outer->spawn(function () use (&$free, &$bound) { $free = new Scope(); $bound = Scope::inherit(); });
$outer->awaitCompletion();
$outer->cancel();
var_dump($free->isCancelled(), $bound->isCancelled());
?>
--EXPECT--
bool(false)
bool(true)
