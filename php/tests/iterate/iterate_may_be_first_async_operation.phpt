--TEST--
iterate() may be the first asynchronous operation of a program
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate([1, 2], function ($v) { delay(1); echo $v, "\n"; });
?>
--EXPECT--
1
2
