--TEST--
A signal that arrives before the token fires completes the future
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await, timeout};
$t = timeout(10000);
$f = signal(Signal::SIGUSR1, $t);
shell_exec("kill -USR1 " . getmypid());
var_dump(await($f)->name, $t->isCompleted());
?>
--EXPECT--
string(7) "SIGUSR1"
bool(false)
