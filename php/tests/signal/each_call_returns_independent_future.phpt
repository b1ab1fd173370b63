--TEST--
Each call of signal() returns an independent future, and one signal completes all of them
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await_all_or_fail};
$all = [signal(Signal::SIGUSR1), signal(Signal::SIGUSR1), signal(Signal::SIGUSR1)->map(fn($s) => $s->name)];
shell_exec("kill -USR1 " . getmypid());
var_dump(await_all_or_fail($all));
?>
--EXPECT--
array(3) {
  [0]=>
  enum(Async\Signal::SIGUSR1)
  [1]=>
  enum(Async\Signal::SIGUSR1)
  [2]=>
  string(7) "SIGUSR1"
}
