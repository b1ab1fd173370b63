--TEST--
Before the runtime is used, and with async.hook_blocking_calls = 0, blocking calls block as in plain PHP
--INI--
async.hook_blocking_calls=0
--FILE--
<?php
require __DIR__ . '/support.inc';
usleep(1000);
run_beside_other('usleep', fn () => usleep(1000));
[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($left, "already written\n");
echo run_beside_other('fgets', fn () => fgets($right));
?>
--EXPECT--
usleep: begin end other
fgets: begin end other
already written
