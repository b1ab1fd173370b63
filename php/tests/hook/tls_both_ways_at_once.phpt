--TEST--
One coroutine reads a TLS stream while another writes to it: nothing is short, the stream blocks as before
--EXTENSIONS--
openssl
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, await_all_or_fail, delay, spawn};

[$server, $address] = listening('tls', stream_context_create(['ssl' => ['local_cert' => tls_certificate()]]));
$accepted = spawn(fn () => stream_socket_accept($server, 30));
$client = stream_socket_client("tls://$address", $code, $text, 30, STREAM_CLIENT_CONNECT,
    stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]));
$peer = await($accepted);
const SIZE = 16 << 20;

// The writer must wait often: its peer reads late, and only what has arrived.
$reader = spawn(fn () => fgets($client));
$writer = spawn(fn () => fwrite($client, str_repeat('x', SIZE)));
delay(1);
try {
    await(spawn(fn () => fwrite($client, 'between')));
} catch (Async\AsyncException $error) {
    echo preg_replace('~#\d+~', '#N', $error->getMessage()), "\n";
}
$received = spawn(function () use ($peer) {
    fwrite($peer, "early\n");
    for ($length = 0; $length < SIZE; $length += strlen($part)) {
        $part = fread($peer, 65536);
        if ($part === '') break;
    }
    return $length;
});
echo await($reader);
// The first reader has left, the writer is still in there; the next reader comes.
$reader = spawn(fn () => fgets($client));
var_dump(await($writer) === SIZE, await($received) === SIZE);
fwrite($peer, "late\n");
echo await($reader);
var_dump(stream_get_meta_data($client)['blocked']);

// Both sides talk and listen at once.
$talk = fn ($stream) => spawn(fn () => fwrite($stream, str_repeat('y', SIZE) . "\n"));
$listen = fn ($stream) => spawn(fn () => strlen(fgets($stream)));
$results = await_all_or_fail([$talk($client), $talk($peer), $listen($client), $listen($peer)]);
var_dump(array_unique($results) === [SIZE + 1]);
?>
--EXPECTF--
fwrite(): coroutine #N is using it (fwrite(), tls_both_ways_at_once.php:%d); one at a time
early
bool(true)
bool(true)
late
bool(true)
bool(true)
