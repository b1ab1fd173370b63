<?php
// An echo server: a coroutine per connection, and an end that lets those who are connected finish. With a port as argument
// it serves until it is ended; without one it shows itself. Streams are asked every millisecond whether they are ready,
// so that waiting for them suspends the coroutine and not the process.
use function Async\{await, delay, spawn};

/** @param resource $stream */
function wait_until_readable($stream): void
{
    while (true) {
        [$read, $none] = [[$stream], null];
        if (stream_select($read, $none, $none, 0) !== 0) {
            return;
        }
        delay(1);
    }
}

/** @param resource $connection */
function serve($connection): void
{
    stream_set_blocking($connection, false);
    while (true) {
        wait_until_readable($connection);
        $bytes = fread($connection, 4096);
        if ($bytes === '' || $bytes === false) {
            break;
        }
        fwrite($connection, $bytes);
    }
    fclose($connection);
}

/** The same in the other direction. */
function ask(string $address, string $word): void
{
    $server = stream_socket_client("tcp://$address");
    fwrite($server, $word);
    wait_until_readable($server);
    echo "$word came back as ", fread($server, 64), "\n";
    fclose($server);
}

$listener = stream_socket_server('tcp://127.0.0.1:' . ($argv[1] ?? 0));
$address = stream_socket_get_name($listener, false);
echo "listening on $address\n";

$acceptor = spawn(function () use ($listener) {
    $served = 0;
    while (true) {
        wait_until_readable($listener);
        $connection = stream_socket_accept($listener);
        spawn(serve(...), $connection);
        $served++;
        if (!isset($GLOBALS['argv'][1]) && $served === 3) {
            return $served;
        }
    }
});
if (!isset($argv[1])) {
    $clients = array_map(fn (string $word) => spawn(ask(...), $address, $word), ['one', 'two', 'three']);
    foreach ($clients as $client) {
        await($client);
    }
}
echo 'served ', await($acceptor), " connections\n";
