--TEST--
A chain whose first future is unreferenced still waits for the signal
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await, exec};
$next = signal(Signal::SIGUSR1)->map(fn($s) => $s->name);
signal(Signal::SIGUSR1)->map(function ($s) { echo "received $s->name\n"; })->ignore();
gc_collect_cycles();
$kill = exec("sleep 0.05; kill -USR1 " . getmypid())->ignore();
echo await($next), "\n";
?>
--EXPECT--
received SIGUSR1
SIGUSR1
