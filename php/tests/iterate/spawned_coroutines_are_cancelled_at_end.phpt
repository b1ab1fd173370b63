--TEST--
Coroutines that callbacks spawned start, and are cancelled at the end of the iteration
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate([1, 2, 3], function ($value) {
    spawn(function () use ($value) {
        try {
            echo "started $value\n";
            suspend(); suspend();
            echo "finished $value\n";
        } catch (AsyncCancellation) { echo "cancelled $value\n"; }
    });
});
echo "end\n";
?>
--EXPECT--
started 1
started 2
started 3
cancelled 1
cancelled 2
cancelled 3
end
