--TEST--
AW-11: no more callbacks than the limit run at a time, and none is lost
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
foreach ([1, 2, 3, 7] as $limit) {
    $now = $most = $done = 0;
    iterate(range(1, 20), function ($v) use (&$now, &$most, &$done) {
        $most = max($most, ++$now);
        for ($i = 0; $i < 4; $i++) suspend();
        --$now;
        ++$done;
    }, $limit);
    echo "$limit: $most at a time, $done done\n";
}
?>
--EXPECT--
1: 1 at a time, 20 done
2: 2 at a time, 20 done
3: 3 at a time, 20 done
7: 7 at a time, 20 done
