--TEST--
Wrong arguments throw TypeError and ValueError
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
foreach ([fn() => iterate(5, fn() => 1), fn() => iterate([], "no_such_function"), fn() => iterate([], fn() => 1, -1)] as $call) {
    try { $call(); } catch (Error $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
?>
--EXPECT--
TypeError: Async\iterate(): Argument #1 ($iterable) must be of type Traversable|array, int given
TypeError: Async\iterate(): Argument #2 ($callback) must be a valid callback, function "no_such_function" not found or invalid function name
ValueError: Async\iterate(): Argument #3 ($concurrency) must be greater than or equal to 0
