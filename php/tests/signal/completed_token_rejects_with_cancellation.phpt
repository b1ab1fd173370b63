--TEST--
A token that completes without an error rejects the future with AsyncCancellation
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await, spawn};
$f = signal(Signal::SIGUSR1, spawn(fn() => "enough"));
try { await($f); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Signal wait cancelled
