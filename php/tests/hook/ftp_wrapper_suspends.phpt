--TEST--
ftp:// suspends: the server is another coroutine
--INI--
allow_url_fopen=1
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn};

[$server, $address] = open_listener();
spawn(function () use ($server) {
    $client = stream_socket_accept($server, 30);
    [$data, $where] = open_listener();
    $port = (int) substr(strrchr($where, ':'), 1);
    fwrite($client, "220 ready\r\n");
    while (($line = fgets($client)) !== false) {
        $word = strtoupper(strtok(rtrim($line), ' '));
        if ($word === 'RETR') {
            fwrite($client, "150 opening data connection\r\n");
            $to = stream_socket_accept($data, 30);
            usleep(1000);
            fwrite($to, 'the file ' . substr(rtrim($line), 5));
            fclose($to);
        }
        fwrite($client, match ($word) {
            'USER' => "230 logged in\r\n",
            'SIZE' => "213 9\r\n",
            'EPSV' => "229 entering (|||$port|)\r\n",
            'RETR' => "226 done\r\n",
            'QUIT' => "221 closing\r\n",
            default => "200 ok\r\n",
        });
    }
});
echo await(spawn(fn () => file_get_contents("ftp://$address/name.txt"))), "\n";
?>
--EXPECT--
the file /name.txt
