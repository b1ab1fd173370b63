--TEST--
await() rethrows the same exception object, with its original line
--FILE--
<?php
use function Async\{spawn, await};
$e = new LogicException("mine");
$c = spawn(function () use ($e) { throw $e; });
for ($i = 0; $i < 2; $i++) {
    try { await($c); } catch (LogicException $x) { var_dump($x === $e, $x->getLine()); }
}
var_dump($c->getException() === $e);
--EXPECT--
bool(true)
int(3)
bool(true)
int(3)
bool(true)
