--TEST--
A finished iteration holds no references, and cycles through its callback are collected
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
class V { public $to; function __destruct() { echo "destroyed\n"; } }
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
destroyed
1
