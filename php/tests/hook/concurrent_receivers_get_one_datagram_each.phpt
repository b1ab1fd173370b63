--TEST--
Several coroutines receive datagrams from one socket, each gets one
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await_all_or_fail, delay, spawn};

[$server, $address] = open_listener('udp');
$receivers = array_map(fn () => spawn(fn () => stream_socket_recvfrom($server, 100)), range(1, 3));
delay(1);
$client = stream_socket_client("udp://$address");
foreach (['one', 'two', 'three'] as $word) fwrite($client, $word);
$words = await_all_or_fail($receivers);
sort($words);
echo implode(' ', $words), "\n";
?>
--EXPECT--
one three two
