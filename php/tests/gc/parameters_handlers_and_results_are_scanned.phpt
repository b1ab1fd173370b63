--TEST--
ST-05: parameters, handlers and results of coroutines are seen by the collector
--FILE--
<?php
use function Async\{spawn, suspend};
class Canary { public $c; function __destruct() { echo "gone\n"; } }
function cycle() { $x = new Canary; $c = spawn(fn($p) => $p, $x); $x->c = $c; $c->finally(function () use ($c) {}); }
cycle();
suspend(); suspend();
gc_collect_cycles();
echo "end\n";
--EXPECT--
gone
end
