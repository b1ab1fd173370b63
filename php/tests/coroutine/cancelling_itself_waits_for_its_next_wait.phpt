--TEST--
CA-07: a coroutine that cancels itself goes on until it waits
--FILE--
<?php
use function Async\{spawn, suspend, await, current_coroutine};
$c = spawn(function () {
    current_coroutine()->cancel();
    echo "still here\n";
    try { suspend(); } finally { echo "finally\n"; }
    echo "never\n";
});
try { await($c); } catch (Async\AsyncCancellation) { echo "cancelled\n"; }
--EXPECT--
still here
finally
cancelled
