--TEST--
TCP accept, connect, reads and writes suspend, so a server and its clients run in one process
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await_all_or_fail, spawn};

[$server, $address] = open_listener();
spawn(function () use ($server) {
    for ($i = 0; $i < 20; $i++) {
        $client = stream_socket_accept($server, 30);
        spawn(function () use ($client) {
            while (($line = fgets($client)) !== false) {
                fwrite($client, strrev(rtrim($line)) . "\n");
            }
            fclose($client);
        });
    }
});
$clients = [];
for ($i = 0; $i < 20; $i++) {
    $clients[] = spawn(function () use ($address, $i) {
        $socket = stream_socket_client("tcp://$address", $code, $message, 30);
        $replies = [];
        foreach (['abc', "def$i"] as $word) {
            fwrite($socket, "$word\n");
            $replies[] = rtrim(fgets($socket));
        }
        return implode(' ', $replies);
    });
}
$all = await_all_or_fail($clients);
ksort($all);
echo implode("\n", array_slice($all, 0, 3)), "\n", count($all), "\n";
?>
--EXPECT--
cba 0fed
cba 1fed
cba 2fed
20
