--TEST--
What was spawned elsewhere is left alone
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$outside = spawn(function () { delay(2); return "lives"; });
iterate([1], function () { suspend(); });
var_dump(await($outside));
?>
--EXPECT--
string(5) "lives"
