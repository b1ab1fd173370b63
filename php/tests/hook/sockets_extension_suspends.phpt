--TEST--
accept, connect, read, write, recvfrom and select of ext/sockets suspend
--EXTENSIONS--
sockets
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn};

$server = socket_create(AF_INET, SOCK_STREAM, 0);
socket_bind($server, '127.0.0.1');
socket_listen($server);
socket_getsockname($server, $host, $port);
spawn(function () use ($server) {
    $client = socket_accept($server);
    while (($text = socket_read($client, 100)) !== '') {
        socket_write($client, strtoupper($text));
    }
    socket_close($client);
});
echo await(spawn(function () use ($port) {
    $socket = socket_create(AF_INET, SOCK_STREAM, 0);
    socket_connect($socket, '127.0.0.1', $port);
    socket_write($socket, "one\n");
    $first = socket_read($socket, 100);
    socket_send($socket, "two\n", 4, 0);
    socket_recv($socket, $second, 4, MSG_WAITALL);
    return $first . $second;
}));

$pair = [];
socket_create_pair(AF_UNIX, SOCK_DGRAM, 0, $pair);
$selector = spawn(function () use ($pair) {
    [$read, $write, $except] = [[$pair[1]], null, null];
    var_dump(socket_select($read, $write, $except, 10));
    socket_recvfrom($pair[1], $text, 100, 0, $from);
    return $text;
});
spawn(function () use ($pair) {
    echo "sending\n";
    socket_send($pair[0], "datagram\n", 9, 0);
});
echo await($selector);

socket_set_option($pair[0], SOL_SOCKET, SO_RCVTIMEO, ['sec' => 0, 'usec' => 20_000]);
var_dump(run_beside_other('timeout', function () use ($pair) {
    return [@socket_recv($pair[0], $text, 10, 0), socket_last_error($pair[0]) === SOCKET_EAGAIN];
}));
?>
--EXPECT--
ONE
TWO
sending
int(1)
datagram
timeout: begin other end
array(2) {
  [0]=>
  bool(false)
  [1]=>
  bool(true)
}
