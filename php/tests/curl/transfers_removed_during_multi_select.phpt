--TEST--
Transfers can be removed from a multi handle whose coroutine waits in curl_multi_select(); it continues without them
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/../hook/support.inc';
use function Async\{await, delay, spawn};

[$server, $address] = open_listener();
$multi = curl_multi_init();
$transfers = [];
for ($i = 0; $i < 3; $i++) {
    $transfers[$i] = curl_init("http://$address/");
    curl_setopt($transfers[$i], CURLOPT_WRITEFUNCTION, fn ($curl, $data) => strlen($data));
    curl_multi_add_handle($multi, $transfers[$i]);
}
$driver = spawn(function () use ($multi) {
    do {
        curl_multi_exec($multi, $running);
    } while ($running > 0 && curl_multi_select($multi, 30) >= 0);
    return $running;
});
$clients = [];
for ($i = 0; $i < 3; $i++) {
    $clients[$i] = stream_socket_accept($server);
    fwrite($clients[$i], "HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\nbody");
}
while (!str_contains(implode($driver->getAwaitingInfo()), 'curl_multi_select')) delay(1);
foreach (array_keys($transfers) as $i) {
    curl_multi_remove_handle($multi, $transfers[$i]);
    unset($transfers[$i]);
}
curl_multi_exec($multi, $running);
var_dump($running, await($driver));
?>
--EXPECT--
int(0)
int(0)
