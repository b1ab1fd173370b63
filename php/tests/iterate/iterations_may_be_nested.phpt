--TEST--
Iterations may be nested
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate([1, 2], function ($a) {
    iterate(['x', 'y'], function ($b) use ($a) { delay(1); echo "$a$b\n"; }, concurrency: 1);
});
?>
--EXPECT--
1x
2x
1y
2y
