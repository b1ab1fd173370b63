--TEST--
AW-13: a source that suspends is advanced by one coroutine at a time
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
function slow() { for ($i = 1; $i <= 5; $i++) { delay(1); yield $i; } }
$values = [];
iterate(slow(), function ($v) use (&$values) { suspend(); $values[] = $v; }, concurrency: 3);
sort($values);
echo json_encode($values), "\n";
?>
--EXPECT--
[1,2,3,4,5]
