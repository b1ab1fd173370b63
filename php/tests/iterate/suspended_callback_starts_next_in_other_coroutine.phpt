--TEST--
MIC-05: when a callback suspends, the next callback runs in another coroutine; coroutines are reused
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$ids = [];
iterate(range(1, 6), function ($v) use (&$ids) { $ids[] = current_coroutine()->getId(); suspend(); }, concurrency: 2);
echo count($ids), " calls in ", count(array_unique($ids)), " coroutines\n";
iterate([1, 2, 3], function ($v) use (&$started) { echo "begin $v\n"; ++$started; while ($started < 3) suspend(); echo "end $v\n"; });
?>
--EXPECT--
6 calls in 2 coroutines
begin 1
begin 2
begin 3
end 3
end 1
end 2
