--TEST--
ST-07: a Fiber started by one coroutine may be resumed by another coroutine
--FILE--
<?php
use function Async\{spawn, await, suspend};
$f = new Fiber(function () { $x = Fiber::suspend(1); suspend(); return $x; });
await(spawn(function () use ($f) { echo $f->start(), "\n"; }));
await(spawn(function () use ($f) { $f->resume(2); echo $f->getReturn(), "\n"; }));
--EXPECT--
1
2
