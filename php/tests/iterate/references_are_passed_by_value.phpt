--TEST--
References in the array are passed by value
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$x = 1;
$array = [&$x, 2];
iterate($array, function ($v) { $v++; echo $v, "\n"; });
var_dump($x);
?>
--EXPECT--
2
3
int(1)
