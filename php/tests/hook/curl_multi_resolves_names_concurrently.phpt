--TEST--
IO-30: concurrent transfers of one curl_multi handle complete when curl resolves names on its own threads
--EXTENSIONS--
curl
--SKIPIF--
<?php
foreach ([gethostname(), 'ip6-localhost'] as $name) if (@stream_socket_server("tcp://$name:0")) die;
die('skip neither the host name nor ip6-localhost is the name of a local address');
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn, timeout};

// curl knows localhost itself and does not look it up.
$name = gethostname();
if (!($server = @stream_socket_server("tcp://$name:0"))) $server = stream_socket_server('tcp://' . ($name = 'ip6-localhost') . ':0');
$version = str_starts_with(stream_socket_get_name($server, false), '[') ? CURL_IPRESOLVE_V6 : CURL_IPRESOLVE_V4;
$port = (int) substr(strrchr(stream_socket_get_name($server, false), ':'), 1);
spawn(function () use ($server) {
    for ($i = 0; $i < 3; $i++) {
        $client = stream_socket_accept($server, 30);
        spawn(function () use ($client) {
            $request = fgets($client);
            while (rtrim(fgets($client)) !== '');
            $body = 'page ' . basename(explode(' ', $request)[1]);
            fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
            fclose($client);
        });
    }
});
$transfers = spawn(function () use ($name, $port, $version) {
    $multi = curl_multi_init();
    $curls = [];
    foreach (range(1, 3) as $i) {
        $curls[] = $curl = curl_init("http://$name:$port/$i");
        // Without the cache every transfer resolves the name.
        curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_DNS_CACHE_TIMEOUT => 0,
            CURLOPT_IPRESOLVE => $version, CURLOPT_PROXY => '']);
        curl_multi_add_handle($multi, $curl);
    }
    do {
        curl_multi_exec($multi, $running);
        if ($running) curl_multi_select($multi, 600);
    } while ($running);
    foreach ($curls as $curl) echo curl_multi_getcontent($curl), curl_error($curl), "\n";
});
await($transfers, timeout(30000));  // a missed end of a lookup would take ten minutes
?>
--EXPECT--
page 1
page 2
page 3
