--TEST--
The callback is called with value and key of every element, in order
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate(['a' => 1, 'b' => 2, 7 => 'x'], function ($value, $key) { echo "$key=$value\n"; });
iterate([], function () { echo "never\n"; });
echo "end\n";
?>
--EXPECT--
a=1
b=2
7=x
end
