--TEST--
SG-02: handlers of pcntl_signal(), registered before or after the runtime started, are called with full information
--EXTENSIONS--
pcntl
--FILE--
<?php
use Async\Signal;
use function Async\{await, delay, spawn, signal};
pcntl_async_signals(true);
function make_handler(string $name): Closure {
    return function (int $number, $info) use ($name) {
        $is_full = is_array($info) && $info['signo'] === $number && array_key_exists('code', $info);
        echo "$name: $number ", $is_full ? 'full' : 'empty', "\n";
    };
}
function send(string $name) {
    await(Async\exec("kill -$name " . getmypid()));
    delay(5);
}
pcntl_signal(SIGUSR1, make_handler('before'));
shell_exec('kill -USR1 ' . getmypid());
echo "started\n";
delay(1);
send('USR1');
pcntl_signal(SIGUSR2, make_handler('after'));
send('USR2');
echo "no other coroutine runs\n";
shell_exec('(sleep 0.05; kill -USR1 ' . getmypid() . ') >/dev/null 2>&1 &');
$start = hrtime(true);
$GLOBALS['elapsed_ms'] = null;
pcntl_signal(SIGUSR1, function () use ($start) { $GLOBALS['elapsed_ms'] = (hrtime(true) - $start) / 1e6; });
delay(2000);
echo $elapsed_ms < 1500 ? "in time\n" : "after $elapsed_ms ms\n";
echo "both\n";
pcntl_signal(SIGHUP, make_handler('pcntl'));
$waiting = spawn(fn() => await(signal(Signal::SIGHUP))->name);
delay(1);
send('HUP');
echo await($waiting), "\n";
send('HUP');
echo "set while the library's handler is installed\n";
$waiting = spawn(fn() => await(signal(Signal::SIGUSR2))->name);
delay(1);
pcntl_signal(SIGUSR2, make_handler('later'));
send('USR2');
echo await($waiting), "\n";
send('USR2');
echo "ignored, then default\n";
pcntl_signal(SIGUSR2, SIG_IGN);
send('USR2');
pcntl_signal(SIGTERM, make_handler('first'));
pcntl_signal(SIGTERM, SIG_DFL);
register_shutdown_function(fn() => print("not reached\n"));
Async\exec('kill -TERM ' . getmypid())->ignore();
delay(500);
--EXPECTF--
before: 10 full
started
before: 10 full
after: 12 full
no other coroutine runs
in time
both
pcntl: 1 full
SIGHUP
pcntl: 1 full
set while the library's handler is installed
later: 12 full
SIGUSR2
later: 12 full
ignored, then default
%ATerm%s
