--TEST--
exit() in a callback ends the program; the other callbacks are unwound
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate([1, 2, 3], function ($v) {
    if ($v === 3) exit("exiting\n");
    try { delay(60000); } finally { echo "unwound\n"; }
});
echo "never\n";
?>
--EXPECT--
exiting
unwound
