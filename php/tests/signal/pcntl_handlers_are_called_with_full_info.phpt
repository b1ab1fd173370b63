--TEST--
SG-02: handlers of pcntl_signal(), registered before or after the runtime has started, are called with full information
--EXTENSIONS--
pcntl
--FILE--
<?php
use Async\Signal;
use function Async\{await, delay, spawn, signal};
pcntl_async_signals(true);
function tell(string $name): Closure {
    return function (int $number, $info) use ($name) {
        $is_full = is_array($info) && $info['signo'] === $number && array_key_exists('code', $info);
        echo "$name: $number ", $is_full ? 'full' : 'empty', "\n";
    };
}
function send(string $name) {
    await(Async\exec("kill -$name " . getmypid()));
    delay(5);
}
pcntl_signal(SIGUSR1, tell('before'));
shell_exec('kill -USR1 ' . getmypid());
echo "started\n";
delay(1);
send('USR1');
pcntl_signal(SIGUSR2, tell('after'));
send('USR2');
echo "nothing else runs\n";
shell_exec('(sleep 0.05; kill -USR1 ' . getmypid() . ') >/dev/null 2>&1 &');
$begun = hrtime(true);
$GLOBALS['told'] = null;
pcntl_signal(SIGUSR1, function () use ($begun) { $GLOBALS['told'] = (hrtime(true) - $begun) / 1e6; });
delay(2000);
echo $told < 1500 ? "in time\n" : "after $told ms\n";
echo "both\n";
pcntl_signal(SIGHUP, tell('pcntl'));
$waiting = spawn(fn() => await(signal(Signal::SIGHUP))->name);
delay(1);
send('HUP');
echo await($waiting), "\n";
send('HUP');
echo "set while ours is there\n";
$waiting = spawn(fn() => await(signal(Signal::SIGUSR2))->name);
delay(1);
pcntl_signal(SIGUSR2, tell('later'));
send('USR2');
echo await($waiting), "\n";
send('USR2');
echo "ignored, and default again\n";
pcntl_signal(SIGUSR2, SIG_IGN);
send('USR2');
pcntl_signal(SIGTERM, tell('first'));
pcntl_signal(SIGTERM, SIG_DFL);
register_shutdown_function(fn() => print("not reached\n"));
Async\exec('kill -TERM ' . getmypid())->ignore();
delay(500);
--EXPECTF--
before: 10 full
started
before: 10 full
after: 12 full
nothing else runs
in time
both
pcntl: 1 full
SIGHUP
pcntl: 1 full
set while ours is there
later: 12 full
SIGUSR2
later: 12 full
ignored, and default again
%ATerm%s
