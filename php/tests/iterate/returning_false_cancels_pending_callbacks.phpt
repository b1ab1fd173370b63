--TEST--
Returning false cancels the callbacks that are still suspended
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
iterate([1, 2, 3], function ($v) {
    echo "begin $v\n";
    if ($v === 3) return false;
    try { delay(60000); } catch (AsyncCancellation $e) { echo "cancelled $v\n"; throw $e; }
});
var_dump(current_coroutine()->isCancellationRequested());
delay(1);
echo "the caller continues\n";
?>
--EXPECT--
begin 1
begin 2
begin 3
cancelled 1
cancelled 2
bool(false)
the caller continues
