--TEST--
MIC-05: iterate() creates no coroutine while no callback suspends
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$id = current_coroutine()->getId();
$first = count(get_coroutines());
iterate(range(1, 1000), function ($v) use ($id, $first, &$others) {
    $others = (int) $others; $others += current_coroutine()->getId() !== $id || count(get_coroutines()) !== $first;
});
var_dump($others);
$next = spawn(fn() => 1);
var_dump($next->getId() - $id);
?>
--EXPECT--
int(0)
int(1)
