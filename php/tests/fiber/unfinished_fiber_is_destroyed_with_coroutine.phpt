--TEST--
ST-07: a Fiber that a coroutine leaves unfinished is destroyed and its finally blocks run
--FILE--
<?php
use function Async\{spawn, await};
await(spawn(function () {
    $f = new Fiber(function () { try { Fiber::suspend(); } finally { echo "finally\n"; } });
    $f->start();
}));
$g = new Fiber(function () { try { Fiber::suspend(); } finally { echo "at the end\n"; } });
$g->start();
echo "main ends\n";
--EXPECT--
finally
main ends
at the end
