--TEST--
A write bigger than every buffer suspends until the reader has taken it; not a byte is lost or doubled
--FILE--
<?php
use function Async\{await_all_or_fail, spawn};

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$message = '';
for ($i = 0; $i < 500_000; $i++) {
    $message .= pack('N', $i);
}
[$sent, $got] = await_all_or_fail([
    spawn(function () use ($left, $message) {
        $sent = fwrite($left, $message);
        fclose($left);
        return $sent;
    }),
    spawn(fn () => stream_get_contents($right)),
]);
var_dump($sent, $got === $message);
?>
--EXPECT--
int(2000000)
bool(true)
