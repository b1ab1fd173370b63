--TEST--
GC-01: the variables of suspended frames keep their values alive
--FILE--
<?php
use function Async\{spawn, delay, suspend, await};
class Node { public $next; function __destruct() { echo "destroyed\n"; } }
$c = spawn(function () { $n = new Node; $n->next = $n; $m = [new Node]; $m[0]->next = $n; delay(3); unset($n, $m); return gc_collect_cycles() > 0; });
suspend();
var_dump(gc_collect_cycles());
var_dump(await($c));
--EXPECT--
int(0)
destroyed
destroyed
bool(true)
