--TEST--
exit() while coroutines wait for the write lock of a stream ends the script with an orderly shutdown
--FILE--
<?php
use function Async\{delay, spawn};

[$in, $out] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
for ($i = 0; $i < 3; $i++) spawn(fn () => fwrite($out, str_repeat('x', 1 << 22)));
delay(1);
register_shutdown_function(function () { echo "shutdown\n"; });
exit();
?>
--EXPECTF--
shutdown
