--TEST--
A signal completes only the futures of that signal
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
