--TEST--
ST-04: the collector runs while a cancelled coroutine cleans up
--FILE--
<?php
use function Async\{spawn, delay, suspend, await};
$c = spawn(function () { try { delay(1000); } finally { for ($i = 0; $i < 5; $i++) { $a = new stdClass; $a->a = $a; unset($a); } delay(1); echo gc_collect_cycles() >= 5 ? "collected\n" : "not collected\n"; } });
suspend();
$c->cancel();
try { await($c); } catch (Cancellation) { echo "cancelled\n"; }
--EXPECT--
collected
cancelled
