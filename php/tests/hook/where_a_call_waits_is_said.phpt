--TEST--
Diagnostics name the line and the PHP function that waits
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
where_a_call_waits_is_said.php:5 fgets()%S
fgets
where_a_call_waits_is_said.php:6 sleep()%S
sleep
