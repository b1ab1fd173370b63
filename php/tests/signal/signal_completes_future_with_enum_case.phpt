--TEST--
signal() returns a future that completes with the enum case
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await, spawn};
$f = signal(Signal::SIGUSR1);
spawn(fn() => shell_exec("kill -USR1 " . getmypid()));
$s = await($f);
var_dump($s, $s === Signal::SIGUSR1);
?>
--EXPECT--
enum(Async\Signal::SIGUSR1)
bool(true)
