--TEST--
GC-01: coroutines that wait for each other and that nothing can wake are found by the collector and cancelled
--FILE--
<?php
use function Async\{spawn, suspend, await};
class Canary { function __destruct() { echo "canary destroyed\n"; } }
function make() {
    $a = spawn(function () use (&$b) { $c = new Canary; suspend(); try { await($b); } finally { echo "a unwinds\n"; } });
    $b = spawn(function () use ($a) { try { await($a); } finally { echo "b unwinds\n"; } });
}
make();
suspend(); suspend();
gc_collect_cycles();
try { Async\delay(1); } catch (Throwable $e) { echo get_class($e); }
echo "end\n";
--EXPECT--
canary destroyed
a unwinds
b unwinds
end
