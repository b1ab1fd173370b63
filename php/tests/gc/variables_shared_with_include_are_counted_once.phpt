--TEST--
GC-01: variables that an included file shares with its function are counted once, so an unreachable wait is found
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () {
    $future = new Async\Future($state = new Async\FutureState);
    try { include __DIR__ . '/variables_shared_with_include.inc'; } catch (Cancellation) { echo "cancelled\n"; }
});
suspend();
gc_collect_cycles();
suspend();
echo "end\n";
--EXPECT--
cancelled
end
