--TEST--
cancel() throws in awaiters and removes the signal handler
--FILE--
<?php
use Async\Signal;
use function Async\{signal, spawn, suspend, await};
$f = signal(Signal::SIGUSR1);
$c = spawn(function () use ($f) { try { await($f); } catch (Cancellation $e) { return get_class($e); } });
suspend();
$f->cancel();
var_dump(await($c), $f->isCancelled());
?>
--EXPECT--
string(23) "Async\AsyncCancellation"
bool(true)
