--TEST--
GC-01: a coroutine that a timer will wake is no garbage, though nobody has its handle
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
