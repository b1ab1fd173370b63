--TEST--
A signal reaches those who wait for it and nobody else
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await};
$hup = signal(Signal::SIGHUP)->ignore();
$term = signal(Signal::SIGTERM);
shell_exec("kill -TERM " . getmypid());
var_dump(await($term)->value, $hup->isCompleted());
?>
--EXPECT--
int(15)
bool(false)
