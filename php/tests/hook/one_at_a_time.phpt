--TEST--
What would free or refill what another coroutine waits in is refused with a clear error
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, delay, spawn};

function attempt(string $what, callable $call): void
{
    try {
        $call();
        echo "$what: done\n";
    } catch (Async\AsyncException $error) {
        echo "$what: ", preg_replace('~#\d+~', '#N', $error->getMessage()), "\n";
    }
}

// Two readers of one stream.
[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(fn () => fgets($right));
delay(1);
attempt('second reader', fn () => fgets($right));
attempt('another function', fn () => stream_get_contents($right));
attempt('another name', fn () => gzgets($right, 10));
attempt('a hash', fn () => hash_update_stream(hash_init('md5'), $right));
attempt('a writer', fn () => fwrite($right, "to the other side\n"));
fwrite($left, "line\n");
echo await($reader);
echo spawn_and_wait(fn () => fgets($left));

function spawn_and_wait(callable $call): mixed
{
    return await(spawn($call));
}

// A stream whose wrapper waits, which nobody can end from outside.
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

// A filtered one can be ended.
[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
stream_filter_append($right, 'string.toupper');
$reader = spawn(function () use ($right) { var_dump(@fgets($right)); });
delay(1);
attempt('closing a filtered one', fn () => fclose($right));
await($reader);

// One that a function only passes on is nobody's.
$temporary = fopen('php://temp', 'w+');
$holder = spawn(fn () => call_user_func(function ($stream) { delay(5); }, $temporary));
delay(1);
attempt('closing what is passed on', fn () => fclose($temporary));
await($holder);

// A transfer's handle.
[$server, $address] = listening();
$curl = curl_init("http://$address/");
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
$transfer = spawn(fn () => curl_exec($curl));
$client = stream_socket_accept($server);
attempt('reset', fn () => curl_reset($curl));
attempt('a look', fn () => curl_getinfo($curl));
fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody");
echo await($transfer), "\n";
attempt('reset', fn () => curl_reset($curl));

// The file a transfer writes to.
$name = tempnam(sys_get_temp_dir(), 'trueasync-hook-');
foreach (['file' => false, 'file of several' => true] as $what => $is_multi) {
    $file = fopen($name, 'a');
    $curl = curl_init("http://$address/");
    curl_setopt($curl, CURLOPT_FILE, $file);
    $transfer = spawn(fn () => $is_multi ? transfer_as_multi($curl) : curl_exec($curl));
    $client = stream_socket_accept($server);
    fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\ntext");
    delay(1);
    attempt($what, fn () => fclose($file));
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
second reader: fgets(): coroutine #N is using it (fgets(), one_at_a_time.php:%d); one at a time
another function: stream_get_contents(): coroutine #N is using it (fgets(), one_at_a_time.php:%d); one at a time
another name: gzgets(): coroutine #N is using it (fgets(), one_at_a_time.php:%d); one at a time
a hash: hash_update_stream(): coroutine #N is using it (fgets(), one_at_a_time.php:%d); one at a time
a writer: done
line
to the other side
closing: fclose(): coroutine #N is using it (one_at_a_time.php:%d); one at a time
text
closing: done
bool(false)
closing a filtered one: done
closing what is passed on: done
reset: curl_reset(): coroutine #N is using it (curl_exec(), one_at_a_time.php:%d); each coroutine needs its own
a look: done
body
reset: done
file: fclose(): coroutine #N is using it (curl_exec(), one_at_a_time.php:%d); one at a time
file of several: fclose(): coroutine #N is using it (curl_multi_select(), one_at_a_time.php:%d); one at a time
file: done
text text
