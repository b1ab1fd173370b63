--TEST--
Cancelling the caller cancels all callbacks, and the caller gets the given cancellation
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$c = spawn(function () {
    try {
        iterate([1, 2], function ($v) { try { delay(60000); } finally { echo "end $v\n"; } });
    } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; }
});
suspend();
$c->cancel(new AsyncCancellation("enough"));
try { await($c); } catch (AsyncCancellation $e) { echo "await: ", $e->getMessage(), "\n"; }
?>
--EXPECT--
end 1
end 2
enough
await: enough
