--TEST--
A token that fired before the call gives a rejected future
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await, timeout, delay};
$t = timeout(1);
delay(5);
$f = signal(Signal::SIGINT, $t);
var_dump($f->isCompleted());
try { await($f); } catch (Throwable $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
bool(true)
Async\TimeoutException
