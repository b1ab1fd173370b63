--TEST--
A chain of which nobody has the beginning waits for the signal
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await, exec};
$next = signal(Signal::SIGUSR1)->map(fn($s) => $s->name);
signal(Signal::SIGUSR1)->map(function ($s) { echo "heard $s->name\n"; })->ignore();
gc_collect_cycles();
$kill = exec("sleep 0.05; kill -USR1 " . getmypid())->ignore();
echo await($next), "\n";
?>
--EXPECT--
heard SIGUSR1
SIGUSR1
