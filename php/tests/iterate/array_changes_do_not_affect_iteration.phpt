--TEST--
Changes of the array during the iteration do not affect it
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$array = [1, 2, 3];
iterate($array, function ($v, $k) use (&$array) { $array[] = 9; unset($array[$k + 1]); echo $v, "\n"; });
?>
--EXPECT--
1
2
3
