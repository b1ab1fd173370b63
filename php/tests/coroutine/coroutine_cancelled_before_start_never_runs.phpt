--TEST--
A coroutine that is cancelled before it starts never runs
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () { echo "never\n"; });
$c->cancel();
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump($c->isCancelled(), $c->isCompleted());
$c->cancel();
--EXPECT--
Coroutine #2 was cancelled
bool(true)
bool(true)
