--TEST--
file_get_contents() of http:// suspends: the server is another coroutine
--INI--
allow_url_fopen=1
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await_all_or_fail, spawn};

[$server, $address] = open_listener();
spawn(function () use ($server) {
    for ($i = 0; $i < 10; $i++) {
        $client = stream_socket_accept($server, 30);
        spawn(function () use ($client) {
            $request = fgets($client);
            while (rtrim(fgets($client)) !== '');
            usleep(1000);
            $body = 'requested ' . explode(' ', $request)[1];
            fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
        });
    }
});
$pages = await_all_or_fail(array_map(fn ($i) => spawn(fn () => file_get_contents("http://$address/page/$i")), range(1, 10)));
ksort($pages);
echo $pages[0], "\n", $pages[9], "\n";
?>
--EXPECT--
requested /page/1
requested /page/10
