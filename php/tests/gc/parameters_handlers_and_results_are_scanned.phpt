--TEST--
ST-05: the collector scans parameters, handlers and results of coroutines
--FILE--
<?php
use function Async\{spawn, suspend};
class Canary { public $c; function __destruct() { echo "destroyed\n"; } }
function cycle() { $x = new Canary; $c = spawn(fn($p) => $p, $x); $x->c = $c; $c->finally(function () use ($c) {}); }
cycle();
suspend(); suspend();
gc_collect_cycles();
echo "end\n";
--EXPECT--
destroyed
end
