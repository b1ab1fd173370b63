--TEST--
Fiber::suspend() in a coroutine outside any Fiber throws FiberError
--FILE--
<?php
use function Async\{spawn, await};
$f = new Fiber(function () {
    $c = spawn(function () { Fiber::suspend(); });
    try { await($c); } catch (FiberError $e) { echo $e->getMessage(), "\n"; }
});
$f->start();
--EXPECTF--
Cannot suspend outside of %Sfiber
