--TEST--
An exception of a callback stops the iteration, cancels the other callbacks and is thrown
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
try {
    iterate([1, 2, 3, 4, 5], function ($v) use (&$started) {
        echo "begin $v\n";
        try { ++$started; if ($v !== 2) delay(60000); while ($started < 3) suspend(); throw new RuntimeException("error at $v"); }
        catch (AsyncCancellation $e) { echo "cancelled $v\n"; throw $e; }
    }, concurrency: 3);
} catch (RuntimeException $e) { echo "caught: ", $e->getMessage(), "\n"; }
delay(1);
echo "end\n";
?>
--EXPECT--
begin 1
begin 2
begin 3
cancelled 1
cancelled 3
caught: error at 2
end
