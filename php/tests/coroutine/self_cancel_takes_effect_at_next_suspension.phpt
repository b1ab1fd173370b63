--TEST--
CA-07: a coroutine that cancels itself continues until its next suspension point
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, suspend, await, current_coroutine};
$c = spawn(function () {
    current_coroutine()->cancel();
    echo "still running\n";
    try { suspend(); } finally { echo "finally\n"; }
    echo "never\n";
});
try { await($c); } catch (Async\AsyncCancellation) { echo "cancelled\n"; }
--EXPECT--
still running
finally
cancelled
