--TEST--
GC-01: a sleeping coroutine is not garbage, although no reference to its handle exists
--FILE--
<?php
use function Async\{spawn, delay, suspend};
(function () { $o = new stdClass; $o->self = $o; spawn(function () use ($o) { delay(2); echo isset($o->self) ? "alive\n" : "wrong\n"; }); })();
suspend();
var_dump(gc_collect_cycles());
delay(10);
--EXPECT--
int(0)
alive
