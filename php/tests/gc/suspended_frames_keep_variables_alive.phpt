--TEST--
GC-01: variables of suspended frames keep what they refer to
--FILE--
<?php
use function Async\{spawn, delay, suspend, await};
class Node { public $next; function __destruct() { echo "gone\n"; } }
$c = spawn(function () { $n = new Node; $n->next = $n; $m = [new Node]; $m[0]->next = $n; delay(3); unset($n, $m); return gc_collect_cycles() > 0; });
suspend();
var_dump(gc_collect_cycles());
var_dump(await($c));
--EXPECT--
int(0)
gone
gone
bool(true)
