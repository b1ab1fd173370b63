--TEST--
IO-32: an upload's source may be closed after its handle is destroyed, also if the transfer was cancelled
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/server.inc';
use function Async\{await, spawn};

$url = serve(2);
$source = tmpfile();
fwrite($source, 'the source');
rewind($source);
$upload = function () use ($url, $source) {
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_PUT => true, CURLOPT_INFILE => $source,
        CURLOPT_INFILESIZE => 10]);
    return curl_exec($curl);
};
echo await(spawn($upload)), "\n";
fclose($source);
unset($upload);

// Cancelled during the transfer: the handle is destroyed first, then the source.
[$writer, $source] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($writer, 'incomplete');
$transfer = spawn(function () use ($url, $source) {
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_PUT => true, CURLOPT_INFILE => $source,
        CURLOPT_INFILESIZE => 1000]);
    return curl_exec($curl);
});
usleep(20_000);
$transfer->cancel();
try {
    await($transfer);
} catch (Cancellation $cancellation) {
    echo $cancellation::class, "\n";
}
unset($transfer, $cancellation);
fclose($source);
gc_collect_cycles();
echo "closed\n";
?>
--EXPECT--
got the source
Async\AsyncCancellation
closed
