--TEST--
SG-04: a future that is let go takes its handler along
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
