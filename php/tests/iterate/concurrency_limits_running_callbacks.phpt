--TEST--
AW-11: at most `concurrency` callbacks run at a time, and every element is processed
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
foreach ([1, 2, 3, 7] as $limit) {
    $running = $max = $done = 0;
    iterate(range(1, 20), function ($v) use (&$running, &$max, &$done) {
        $max = max($max, ++$running);
        for ($i = 0; $i < 4; $i++) suspend();
        --$running;
        ++$done;
    }, $limit);
    echo "$limit: $max at a time, $done done\n";
}
?>
--EXPECT--
1: 1 at a time, 20 done
2: 2 at a time, 20 done
3: 3 at a time, 20 done
7: 7 at a time, 20 done
