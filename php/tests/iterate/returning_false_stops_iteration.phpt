--TEST--
Returning false stops the iteration; null, 0 and the empty string do not
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate(['a', 'b', 'c'], function ($v) { echo $v, "\n"; if ($v === 'b') return false; });
iterate([null, 0, '', []], function ($v) { echo json_encode($v), "\n"; return $v; });
?>
--EXPECT--
a
b
null
0
""
[]
