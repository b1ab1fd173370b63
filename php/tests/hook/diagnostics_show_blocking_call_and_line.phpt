--TEST--
Diagnostics show the line and the PHP function of a suspended blocking call
--FILE--
<?php
use function Async\{delay, spawn};

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(fn () => fgets($right));
$sleeper = spawn(fn () => sleep(3600));
delay(1);
foreach ([$reader, $sleeper] as $coroutine) {
    echo basename($coroutine->getSuspendLocation()), ' ', implode(', ', $coroutine->getAwaitingInfo()), "\n";
    echo $coroutine->getTrace()[0]['function'], "\n";
    $coroutine->cancel();
}
?>
--EXPECTF--
diagnostics_show_blocking_call_and_line.php:5 fgets()%S
fgets
diagnostics_show_blocking_call_and_line.php:6 sleep()%S
sleep
