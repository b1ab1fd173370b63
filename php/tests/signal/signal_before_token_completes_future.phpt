--TEST--
A signal that comes first leaves the token alone
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
