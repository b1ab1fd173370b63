--TEST--
GC-01: a cycle through a suspended coroutine that nobody can wake is found; the coroutine is cancelled
--FILE--
<?php
use function Async\{spawn, suspend, await};
class Canary { function __destruct() { echo "canary gone\n"; } }
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
canary gone
a unwinds
b unwinds
end
