--TEST--
With cancelPending: false, iterate() waits for the coroutines that callbacks spawned
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$results = [];
iterate([1, 2, 3], function ($value) use (&$results) {
    spawn(function () use (&$results, $value) { suspend(); $results[] = "result-$value"; });
}, cancelPending: false);
echo implode(', ', $results), "\n";
?>
--EXPECT--
result-1, result-2, result-3
