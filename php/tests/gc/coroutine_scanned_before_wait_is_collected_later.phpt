--TEST--
GC-01: a coroutine that the collector saw ready, and that waits for itself afterwards, is found by the next run
--FILE--
<?php
use function Async\{spawn, await, suspend, current_coroutine};
class Holder {
    public $things;
    function __destruct() { echo "gone\n"; }
}
spawn(function () {
    $holder = new Holder;
    $future = new Async\Future($state = new Async\FutureState);
    $holder->things = [current_coroutine(), $state];
    while (!$GLOBALS['is_looked_at']) suspend();
    await($future);
});
$is_looked_at = false;
suspend();
suspend();
gc_collect_cycles();
$is_looked_at = true;
suspend();
suspend();
gc_collect_cycles();
suspend();
echo count(Async\get_coroutines()), "\n";
exit;
--EXPECT--
gone
1
