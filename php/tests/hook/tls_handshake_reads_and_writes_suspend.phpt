--TEST--
The handshake, reads and writes of tls:// suspend, for clients and servers
--EXTENSIONS--
openssl
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await_all_or_fail, spawn};

[$server, $address] = open_listener('tls', stream_context_create(['ssl' => ['local_cert' => tls_certificate()]]));
spawn(function () use ($server) {
    for ($i = 0; $i < 5; $i++) {
        $client = stream_socket_accept($server, 30);
        spawn(function () use ($client) { fwrite($client, strtoupper(fgets($client))); fclose($client); });
    }
});
$options = ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]];
$replies = await_all_or_fail(array_map(fn ($i) => spawn(function () use ($address, $i, $options) {
    $socket = stream_socket_client("tls://$address", $code, $text, 30, STREAM_CLIENT_CONNECT, stream_context_create($options));
    fwrite($socket, "word $i\n");
    return fgets($socket);
}), range(1, 5)));
ksort($replies);
echo implode($replies);
?>
--EXPECT--
WORD 1
WORD 2
WORD 3
WORD 4
WORD 5
