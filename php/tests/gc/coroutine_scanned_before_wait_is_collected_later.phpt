--TEST--
GC-01: a coroutine that was ready in one collection and waits for itself afterwards is found by the next collection
--FILE--
<?php
use function Async\{spawn, await, suspend, current_coroutine};
class Holder {
    public $references;
    function __destruct() { echo "destroyed\n"; }
}
spawn(function () {
    $holder = new Holder;
    $future = new Async\Future($state = new Async\FutureState);
    $holder->references = [current_coroutine(), $state];
    while (!$GLOBALS['is_scanned']) suspend();
    await($future);
});
$is_scanned = false;
suspend();
suspend();
gc_collect_cycles();
$is_scanned = true;
suspend();
suspend();
gc_collect_cycles();
suspend();
echo count(Async\get_coroutines()), "\n";
exit;
--EXPECT--
destroyed
1
