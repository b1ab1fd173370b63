--TEST--
GC-01: the variables that an included file shares with its function are counted once: a dead wait there is found
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () {
    $future = new Async\Future($state = new Async\FutureState);
    try { include __DIR__ . '/an_included_file_is_counted_once.inc'; } catch (Cancellation) { echo "cancelled\n"; }
});
suspend();
gc_collect_cycles();
suspend();
echo "end\n";
--EXPECT--
cancelled
end
