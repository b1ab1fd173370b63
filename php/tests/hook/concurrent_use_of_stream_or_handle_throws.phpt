--TEST--
A call that would invalidate a resource another coroutine waits on throws an error
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, delay, spawn};

function attempt(string $label, callable $call): void
{
    try {
        $call();
        echo "$label: done\n";
    } catch (Async\AsyncException $error) {
        echo "$label: ", preg_replace('~#\d+~', '#N', $error->getMessage()), "\n";
    }
}

// Two readers of one stream.
[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(fn () => fgets($right));
delay(1);
attempt('second reader', fn () => fgets($right));
attempt('another function', fn () => stream_get_contents($right));
attempt('zlib function', fn () => gzgets($right, 10));
attempt('hash function', fn () => hash_update_stream(hash_init('md5'), $right));
attempt('a writer', fn () => fwrite($right, "to the peer\n"));
fwrite($left, "line\n");
echo await($reader);
echo spawn_and_wait(fn () => fgets($left));

function spawn_and_wait(callable $call): mixed
{
    return await(spawn($call));
}

// A read whose wrapper suspends cannot be ended by another coroutine.
class Slow
{
    public $context;
    public function stream_open(): bool { return true; }
    public function stream_read(int $count): string { delay(20); return 'text'; }
    public function stream_eof(): bool { return false; }
    public function stream_stat(): array { return []; }
}
stream_wrapper_register('slow', Slow::class);
$slow = fopen('slow://', 'r');
$reader = spawn(fn () => fread($slow, 4));
delay(1);
attempt('closing', fn () => fclose($slow));
echo await($reader), "\n";
attempt('closing', fn () => fclose($slow));

// A read from a filtered stream can be ended.
[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
stream_filter_append($right, 'string.toupper');
$reader = spawn(function () use ($right) { var_dump(@fgets($right)); });
delay(1);
attempt('closing a filtered stream', fn () => fclose($right));
await($reader);

// A stream that is only an argument of a running call is not in use.
$temporary = fopen('php://temp', 'w+');
$holder = spawn(fn () => call_user_func(function ($stream) { delay(5); }, $temporary));
delay(1);
attempt('closing a passed stream', fn () => fclose($temporary));
await($holder);

// The handle of a transfer in flight.
[$server, $address] = open_listener();
$curl = curl_init("http://$address/");
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
$transfer = spawn(fn () => curl_exec($curl));
$client = stream_socket_accept($server);
attempt('reset', fn () => curl_reset($curl));
attempt('getinfo', fn () => curl_getinfo($curl));
fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody");
echo await($transfer), "\n";
attempt('reset', fn () => curl_reset($curl));

// The file that a transfer writes to.
$name = tempnam(sys_get_temp_dir(), 'trueasync-hook-');
foreach (['file' => false, 'file of multi' => true] as $label => $is_multi) {
    $file = fopen($name, 'a');
    $curl = curl_init("http://$address/");
    curl_setopt($curl, CURLOPT_FILE, $file);
    $transfer = spawn(fn () => $is_multi ? transfer_as_multi($curl) : curl_exec($curl));
    $client = stream_socket_accept($server);
    fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\ntext");
    delay(1);
    attempt($label, fn () => fclose($file));
    fwrite($client, ' ');
    await($transfer);
}
unset($curl);
attempt('file', fn () => fclose($file));
echo rtrim(file_get_contents($name)), "\n";
unlink($name);

function transfer_as_multi(CurlHandle $curl): void
{
    $multi = curl_multi_init();
    curl_multi_add_handle($multi, $curl);
    do {
        curl_multi_exec($multi, $running);
    } while ($running && curl_multi_select($multi) >= 0);
    curl_multi_remove_handle($multi, $curl);
}
?>
--EXPECTF--
second reader: fgets(): Stream is in use by coroutine #N (fgets(), concurrent_use_of_stream_or_handle_throws.php:%d); only one coroutine may use it at a time
another function: stream_get_contents(): Stream is in use by coroutine #N (fgets(), concurrent_use_of_stream_or_handle_throws.php:%d); only one coroutine may use it at a time
zlib function: gzgets(): Stream is in use by coroutine #N (fgets(), concurrent_use_of_stream_or_handle_throws.php:%d); only one coroutine may use it at a time
hash function: hash_update_stream(): Stream is in use by coroutine #N (fgets(), concurrent_use_of_stream_or_handle_throws.php:%d); only one coroutine may use it at a time
a writer: done
line
to the peer
closing: fclose(): Stream is in use by coroutine #N (concurrent_use_of_stream_or_handle_throws.php:%d); only one coroutine may use it at a time
text
closing: done
bool(false)
closing a filtered stream: done
closing a passed stream: done
reset: curl_reset(): Connection or handle is in use by coroutine #N (curl_exec(), concurrent_use_of_stream_or_handle_throws.php:%d); use a separate one in each coroutine
getinfo: done
body
reset: done
file: fclose(): Stream is in use by coroutine #N (curl_exec(), concurrent_use_of_stream_or_handle_throws.php:%d); only one coroutine may use it at a time
file of multi: fclose(): Stream is in use by coroutine #N (curl_multi_select(), concurrent_use_of_stream_or_handle_throws.php:%d); only one coroutine may use it at a time
file: done
text text
