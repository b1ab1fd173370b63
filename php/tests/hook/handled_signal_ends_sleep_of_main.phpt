--TEST--
A signal handled by PHP code ends the sleep of the main script only, after its handler has run
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use function Async\{delay, spawn};

pcntl_async_signals(true);
$stop = 0;
pcntl_signal(SIGUSR1, function () use (&$stop) { $stop++; });
$other = spawn(function () { var_dump(sleep(3600)); });
$send = fn () => spawn(fn () => posix_kill(getmypid(), SIGUSR1));

$send();
$remaining = sleep(3600);
var_dump($remaining > 3000, $stop);
$send();
usleep(3600_000_000);
var_dump($stop);
$send();
$remaining = time_nanosleep(3600, 0);
var_dump($remaining['seconds'] > 3000, $stop);
// A signal while main does not sleep has no effect on the next sleep.
$send();
delay(1);
var_dump($stop, sleep(0));
var_dump($other->isCompleted());
$other->cancel();
?>
--EXPECT--
bool(true)
int(1)
int(2)
bool(true)
int(3)
int(4)
int(0)
bool(false)
