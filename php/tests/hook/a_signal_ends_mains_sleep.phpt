--TEST--
A signal that PHP code handles ends the sleep of the main script, and of nobody else; its handler has run by then
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
$left = sleep(3600);
var_dump($left > 3000, $stop);
$send();
usleep(3600_000_000);
var_dump($stop);
$send();
$left = time_nanosleep(3600, 0);
var_dump($left['seconds'] > 3000, $stop);
// One that comes when nobody sleeps changes nothing.
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
