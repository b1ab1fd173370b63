--TEST--
curl_exec() and curl_multi suspend: the server is another coroutine
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await_all_or_fail, spawn};

[$server, $address] = open_listener();
spawn(function () use ($server) {
    for ($i = 0; $i < 23; $i++) {
        $client = stream_socket_accept($server, 30);
        spawn(function () use ($client) {
            $request = fgets($client);
            while (rtrim(fgets($client)) !== '');
            usleep(1000);
            $body = 'page ' . basename(explode(' ', $request)[1]);
            fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
            fclose($client);
        });
    }
});
function transfer(string $url): CurlHandle
{
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    return $curl;
}
$pages = await_all_or_fail(array_map(fn ($i) => spawn(fn () => curl_exec(transfer("http://$address/$i"))), range(1, 20)));
ksort($pages);
echo $pages[0], ', ', $pages[19], "\n";

echo implode(', ', Async\await(spawn(function () use ($address) {
    $multi = curl_multi_init();
    $curls = array_map(fn ($i) => transfer("http://$address/m$i"), range(1, 3));
    array_walk($curls, fn ($curl) => curl_multi_add_handle($multi, $curl));
    do {
        curl_multi_exec($multi, $running);
        $running && curl_multi_select($multi, 10);
    } while ($running);
    return array_map(curl_multi_getcontent(...), $curls);
}))), "\n";
?>
--EXPECT--
page 1, page 20
page m1, page m2, page m3
