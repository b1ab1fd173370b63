--TEST--
SG-04: destroying a signal future removes its signal handler
--SKIPIF--
<?php if (!function_exists("pcntl_signal")) die("skip pcntl is missing"); ?>
--FILE--
<?php
use Async\Signal;
use function Async\{signal, await};
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, function () { echo "own handler\n"; });
$f = signal(Signal::SIGUSR1)->ignore();
unset($f);
shell_exec("kill -USR1 " . getmypid());
echo "end\n";
?>
--EXPECT--
own handler
end
