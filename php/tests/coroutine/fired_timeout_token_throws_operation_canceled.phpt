--TEST--
CA-03: a fired token throws OperationCanceledException with the token's error as previous exception
--DESCRIPTION--
not under: asan
--FILE--
<?php
use function Async\{spawn, await, delay, timeout};
$c = spawn(function () { delay(1000); });
try { await($c, timeout(2)); } catch (Async\OperationCanceledException $e) { echo $e->getMessage(), ": ", get_class($e->getPrevious()), "\n"; }
var_dump($c->isCompleted());
$c->cancel();
$t = timeout(1000);
$t->cancel();
var_dump($t->isCompleted(), $t->isCancelled());
try { await($t); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
try { await(timeout(1)); } catch (Async\TimeoutException $e) { echo $e->getMessage(), "\n"; }
--EXPECT--
Operation has been cancelled: Async\TimeoutException
bool(false)
bool(true)
bool(true)
Timeout has been cancelled
Timeout of 1 ms
