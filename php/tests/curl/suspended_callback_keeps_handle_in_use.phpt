--TEST--
A curl handle stays in use while its callback is suspended; an exception of the callback reaches the caller
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/../hook/support.inc';
require __DIR__ . '/../hook/attempt.inc';
use function Async\{await, delay, spawn};

[$server, $address] = open_listener();
function answer($server): void
{
    fwrite($client = stream_socket_accept($server), "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody");
    fclose($client);
}
$curl = curl_init("http://$address/");
curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, $data) use (&$is_called) {
    $is_called = true;
    delay(20);
    echo "$data\n";
    return strlen($data);
});
$multi = curl_multi_init();
curl_multi_add_handle($multi, $curl);
$driver = spawn(function () use ($multi) {
    do {
        curl_multi_exec($multi, $running);
    } while ($running > 0 && curl_multi_select($multi, 30) >= 0);
});
answer($server);
while (!$is_called) delay(1);
attempt(fn () => curl_multi_close($multi));
attempt(fn () => curl_multi_remove_handle($multi, $curl));
await($driver);
attempt(fn () => curl_multi_close($multi));

class CallbackError extends Exception {}
$curl = curl_init("http://$address/");
curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, $data) {
    try {
        delay(3600_000);
    } catch (Async\AsyncCancellation $cancellation) {
        throw new CallbackError('cancelled in the callback', 0, $cancellation);
    }
});
spawn(fn () => answer($server));
run_and_cancel(fn () => curl_exec($curl));
?>
--EXPECTF--
curl_multi_close(): Connection or handle is in use by coroutine #N (suspended_callback_keeps_handle_in_use.php:%d); use a separate one in each coroutine
curl_multi_remove_handle(): Connection or handle is in use by coroutine #N (suspended_callback_keeps_handle_in_use.php:%d); use a separate one in each coroutine
body
done
CallbackError with a previous one
bool(false)
