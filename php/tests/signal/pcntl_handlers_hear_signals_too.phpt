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
echo "ours was there meanwhile\n";
pcntl_signal(SIGHUP, tell('pcntl'));
$waiting = spawn(fn() => await(signal(Signal::SIGHUP))->name);
delay(1);
send('HUP');
echo await($waiting), "\n";
send('HUP');
echo "set while ours is there, it stays\n";
$heard = signal(Signal::SIGUSR2)->ignore();
delay(1);
pcntl_signal(SIGUSR2, tell('later'));
unset($heard);
delay(1);
send('USR2');
--EXPECT--
before: 10 full
started
before: 10 full
after: 12 full
ours was there meanwhile
SIGHUP
pcntl: 1 full
set while ours is there, it stays
later: 12 full
