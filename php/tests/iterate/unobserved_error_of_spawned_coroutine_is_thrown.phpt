--TEST--
An unobserved error of a coroutine that a callback spawned is thrown by iterate()
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
try {
    iterate([1, 2], function ($v) { spawn(function () { throw new RuntimeException("spawned"); }); delay(60000); });
} catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
catch (CompositeException $e) { echo count($e->getExceptions()), " ", $e->getExceptions()[0]->getMessage(), "\n"; }
?>
--EXPECT--
spawned
