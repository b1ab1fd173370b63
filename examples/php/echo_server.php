<?php
// An echo server in plain blocking style: a coroutine per connection, and an end that lets those who are connected finish.
// With a port as argument it serves until it is ended; without one it shows itself.
use function Async\{await, spawn};

/** @param resource $connection */
function serve($connection): void
{
    while (($bytes = fread($connection, 4096)) !== '' && $bytes !== false) {
        fwrite($connection, $bytes);
    }
    fclose($connection);
}

/** The same in the other direction. */
function ask(string $address, string $word): void
{
    $server = stream_socket_client("tcp://$address");
    fwrite($server, $word);
    $answer = fread($server, 64);
    echo "$word came back as $answer\n";
    fclose($server);
}

$listener = stream_socket_server('tcp://127.0.0.1:' . ($argv[1] ?? 0));
$address = stream_socket_get_name($listener, false);
echo "listening on $address\n";

$acceptor = spawn(function () use ($listener) {
    $is_for_show = !isset($GLOBALS['argv'][1]);
    for ($served = 0; !$is_for_show || $served < 3; $served++) {
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
