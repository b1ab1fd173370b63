--TEST--
A signal future completes once; a second signal needs a second call
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await};
$guard = signal(Signal::SIGUSR2)->ignore();
for ($i = 0; $i < 2; ++$i) {
    $f = signal(Signal::SIGUSR1);
    $keep = signal(Signal::SIGUSR1)->ignore();
    shell_exec("kill -USR1 " . getmypid());
    echo await($f)->name, "\n";
}
var_dump($guard->isCompleted());
?>
--EXPECT--
SIGUSR1
SIGUSR1
bool(false)
