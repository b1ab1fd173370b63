--TEST--
A coroutine that awaits itself among others is told
--FILE--
<?php
use function Async\{spawn, await, await_all, current_coroutine};
try { await(spawn(fn() => await_all([current_coroutine()]))); } catch (Async\AsyncException $e) { echo preg_replace("/#\d+/", "#n", $e->getMessage()), "\n"; }
?>
--EXPECT--
Coroutine #n can't await itself
