--TEST--
A connection reset during a read or a write fails as in plain PHP; the next connection works
--EXTENSIONS--
sockets
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn};

[$server, $address] = open_listener();
$resetting = spawn(function () use ($server) {
    for ($i = 0; $i < 2; $i++) {
        $socket = socket_import_stream(stream_socket_accept($server, 30));
        usleep(2000);
        socket_set_option($socket, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
        socket_close($socket);
    }
    $client = stream_socket_accept($server, 30);
    fwrite($client, "fine\n");
});
echo await(spawn(function () use ($address) {
    $socket = stream_socket_client("tcp://$address");
    $text = @fgets($socket);
    return json_encode([$text, feof($socket), error_get_last()['message'] ?? null]) . "\n";
}));
error_clear_last();
echo await(spawn(function () use ($address) {
    $socket = stream_socket_client("tcp://$address");
    $written = @fwrite($socket, str_repeat('x', 64 << 20));
    return json_encode([$written < 64 << 20, error_get_last()['message'] !== null]) . "\n";
}));
echo await(spawn(fn () => fgets(stream_socket_client("tcp://$address"))));
?>
--EXPECT--
[false,true,null]
[true,true]
fine
