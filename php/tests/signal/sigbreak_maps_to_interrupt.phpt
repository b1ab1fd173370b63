--TEST--
SG-05: SIGBREAK maps to an interrupt on platforms without it
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await};
$f = signal(Signal::SIGBREAK);
shell_exec("kill -INT " . getmypid());
var_dump(await($f));
$w = signal(Signal::SIGWINCH);
shell_exec("kill -WINCH " . getmypid());
var_dump(await($w));
?>
--EXPECT--
enum(Async\Signal::SIGBREAK)
enum(Async\Signal::SIGWINCH)
