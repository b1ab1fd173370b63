--TEST--
A coroutine that awaits itself among others is told
--FILE--
<?php
use function Async\{spawn, await, await_all, current_coroutine};
try {
    await(spawn(fn() => await_all([current_coroutine()])));
} catch (Async\AsyncException $e) {
    echo $e->getMessage(), "\n";
}
unset($e);
gc_collect_cycles();  // an exception has the frames it came from
?>
--EXPECTF--
Coroutine #%d can't await itself
