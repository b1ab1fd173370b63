<?php
// An echo server in blocking style: a coroutine per connection, and an orderly end that completes open connections.
// With a port as argument it serves until it is killed; without one it runs a demo.
use function Async\{await, spawn};

/** @param resource $connection */
function serve($connection): void
{
    while (($bytes = fread($connection, 4096)) !== '' && $bytes !== false) {
        fwrite($connection, $bytes);
    }
    fclose($connection);
}

/** A client. */
function ask(string $address, string $word): void
{
    $server = stream_socket_client("tcp://$address");
    fwrite($server, $word);
    $response = fread($server, 64);
    echo "sent $word, received $response\n";
    fclose($server);
}

$listener = stream_socket_server('tcp://127.0.0.1:' . ($argv[1] ?? 0));
$address = stream_socket_get_name($listener, false);
echo "listening on $address\n";

$acceptor = spawn(function () use ($listener) {
    $isDemo = !isset($GLOBALS['argv'][1]);
    for ($served = 0; !$isDemo || $served < 3; $served++) {
        spawn(serve(...), stream_socket_accept($listener, PHP_INT_MAX));
    }
    return $served;
});
if (!isset($argv[1])) {
    $clients = array_map(fn (string $word) => spawn(ask(...), $address, $word), ['one', 'two', 'three']);
    foreach ($clients as $client) {
        await($client);
    }
}
echo 'served ', await($acceptor), " connections\n";
