--TEST--
What a finished iteration held is let go, and circles through it are collected
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
class V { public $to; function __destruct() { echo "gone\n"; } }
function run(): void {
    $v = new V;
    $callback = function () use ($v) { suspend(); };
    $v->to = $callback;
    iterate([1, 2, 3], $callback);
}
run();
gc_collect_cycles();
echo count(get_coroutines()), "\n";
?>
--EXPECT--
gone
1
