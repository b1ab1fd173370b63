--TEST--
Datagram and unix sockets suspend like TCP sockets
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn};

[$server, $address] = open_listener('udp');
$receiver = spawn(function () use ($server) {
    $text = stream_socket_recvfrom($server, 100, 0, $from);
    stream_socket_sendto($server, strtoupper($text), 0, $from);
});
$client = stream_socket_client("udp://$address");
echo await(spawn(function () use ($client) {
    fwrite($client, "hello\n");
    return fread($client, 100);
}));

$path = sys_get_temp_dir() . '/trueasync-hook-' . getmypid() . '.sock';
$server = stream_socket_server("unix://$path");
spawn(function () use ($server) {
    $client = stream_socket_accept($server, 10);
    fwrite($client, 'from the server, after ' . fgets($client));
});
echo await(spawn(function () use ($path) {
    $socket = stream_socket_client("unix://$path");
    fwrite($socket, "a word\n");
    return fgets($socket);
}));
unlink($path);
?>
--EXPECT--
HELLO
from the server, after a word
