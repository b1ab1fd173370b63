--TEST--
Coroutines spawned outside the iteration are not affected
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$outside = spawn(function () { delay(2); return "completed"; });
iterate([1], function () { suspend(); });
var_dump(await($outside));
?>
--EXPECT--
string(9) "completed"
