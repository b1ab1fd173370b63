--TEST--
With cancelPending: false, iterate() waits for pending callbacks after false is returned
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate([1, 2, 3, 4], function ($v) {
    if ($v === 3) return false;
    delay($v);
    echo "end $v\n";
}, cancelPending: false);
echo "end\n";
?>
--EXPECT--
end 1
end 2
end
