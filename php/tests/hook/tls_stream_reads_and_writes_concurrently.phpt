--TEST--
One coroutine reads a TLS stream while others write in FIFO order; no data is lost or interleaved
--EXTENSIONS--
openssl
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, await_all_or_fail, spawn};

[$server, $address] = open_listener('tls', stream_context_create(['ssl' => ['local_cert' => tls_certificate()]]));
$accepted = spawn(fn () => stream_socket_accept($server, 30));
$client = stream_socket_client("tls://$address", $code, $text, 30, STREAM_CLIENT_CONNECT,
    stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]));
$peer = await($accepted);
const SIZE = 8 << 20;

// The writer must suspend often: its peer starts late and reads in small pieces.
$reader = spawn(fn () => fgets($client));
$writer = spawn(fn () => fwrite($client, str_repeat('x', SIZE)));
$second = spawn(fn () => fwrite($client, str_repeat('z', SIZE)));
$received = spawn(function () use ($peer) {
    fwrite($peer, "early\n");
    $received = '';
    while (strlen($received) < 2 * SIZE) $received .= fread($peer, 65536);
    return $received === str_repeat('x', SIZE) . str_repeat('z', SIZE);
});
echo await($reader);
// The first reader has finished, the writer has not; a second reader starts.
$reader = spawn(fn () => fgets($client));
var_dump(await($writer) === SIZE, await($second) === SIZE, await($received));
fwrite($peer, "late\n");
echo await($reader);
var_dump(stream_get_meta_data($client)['blocked']);

// Both ends write and read concurrently.
$write = fn ($stream) => spawn(fn () => fwrite($stream, str_repeat('y', SIZE) . "\n"));
$read = fn ($stream) => spawn(fn () => strlen(fgets($stream)));
$results = await_all_or_fail([$write($client), $write($peer), $read($client), $read($peer)]);
var_dump(array_unique($results) === [SIZE + 1]);

// A coroutine that has written reads before the next writer gets the lock.
$first = spawn(function () use ($client) { fwrite($client, str_repeat('1', SIZE)); return fgets($client); });
$second = spawn(fn () => fwrite($client, str_repeat('2', SIZE)));
for ($length = 0; $length < 2 * SIZE; $length += strlen(fread($peer, 65536))) {
}
fwrite($peer, "answer\n");
var_dump(await($second) === SIZE, await($first));

// A copy into a stream that another coroutine reads.
$file = tmpfile();
fwrite($file, str_repeat('3', SIZE));
rewind($file);
$reader = spawn(fn () => fgets($client));
$copy = spawn(fn () => stream_copy_to_stream($file, $client));
Async\delay(1);
for ($length = 0; $length < SIZE; $length += strlen(fread($peer, 65536))) {
}
fwrite($peer, "copied\n");
var_dump(await($copy) === SIZE, await($reader));
?>
--EXPECT--
early
bool(true)
bool(true)
bool(true)
late
bool(true)
bool(true)
bool(true)
string(7) "answer
"
bool(true)
string(7) "copied
"
