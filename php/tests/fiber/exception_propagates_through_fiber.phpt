--TEST--
An exception of an awaited coroutine propagates through a Fiber
--FILE--
<?php
use function Async\{spawn, await};
await(spawn(function () {
    $f = new Fiber(function () { await(spawn(function () { throw new LogicException("deep"); })); });
    try { $f->start(); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
}));
--EXPECT--
deep
