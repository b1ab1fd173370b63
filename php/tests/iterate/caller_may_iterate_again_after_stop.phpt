--TEST--
After a stopped iteration the caller can iterate again and can be cancelled
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$c = spawn(function () use (&$ready) {
    for ($i = 0; $i < 3; $i++) {
        iterate([1, 2], function ($v) { if ($v === 2) return false; try { delay(60000); } finally { echo "stopped "; } });
        echo "\n";
    }
    $ready = true;
    try { delay(60000); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
});
while (!$ready) suspend();
$c->cancel(new AsyncCancellation("real"));
await($c);
?>
--EXPECT--
stopped 
stopped 
stopped 
real
