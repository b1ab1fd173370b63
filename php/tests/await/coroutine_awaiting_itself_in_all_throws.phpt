--TEST--
A coroutine that passes itself to await_all() gets an exception
--FILE--
<?php
use function Async\{spawn, await, await_all, current_coroutine};
try {
    await(spawn(fn() => await_all([current_coroutine()])));
} catch (Async\AsyncException $e) {
    echo $e->getMessage(), "\n";
}
unset($e);
gc_collect_cycles();  // the trace of the exception keeps its frames alive
?>
--EXPECTF--
Coroutine #%d cannot await itself
