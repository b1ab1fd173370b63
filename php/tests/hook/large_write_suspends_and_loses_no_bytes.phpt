--TEST--
A write larger than every buffer suspends until it is read; no byte is lost or duplicated
--FILE--
<?php
use function Async\{await_all_or_fail, spawn};

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$message = '';
for ($i = 0; $i < 500_000; $i++) {
    $message .= pack('N', $i);
}
[$sent, $received] = await_all_or_fail([
    spawn(function () use ($left, $message) {
        $sent = fwrite($left, $message);
        fclose($left);
        return $sent;
    }),
    spawn(fn () => stream_get_contents($right)),
]);
var_dump($sent, $received === $message);
?>
--EXPECT--
int(2000000)
bool(true)
