--TEST--
IO-31: a transfer that is paused and resumed, or whose callback suspends, loses no bytes
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/server.inc';
use function Async\{await_all_or_fail, delay, spawn};

const SIZE = 1 << 20;
$url = serve(3, SIZE);

/** Uses the multi interface: another coroutine resumes the transfer. */
function paused(string $url): string
{
    $received = '';
    $pauses = 0;
    $multi = curl_multi_init();
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, string $bytes) use (&$received, &$pauses) {
        if ($pauses < 3 && strlen($received) > $pauses * 100_000) {
            $pauses++;
            spawn(function () use ($curl) {
                delay(2);
                curl_pause($curl, CURLPAUSE_CONT);
            });
            return CURL_WRITEFUNC_PAUSE;
        }
        $received .= $bytes;
        return strlen($bytes);
    });
    curl_multi_add_handle($multi, $curl);
    do {
        curl_multi_exec($multi, $running);
        curl_multi_select($multi, 0.01) or delay(1);  // returns immediately if all transfers are paused, as in plain PHP
    } while ($running);
    return "$pauses pauses " . md5($received);
}

/** The callback suspends. */
function slow(string $url): string
{
    $received = '';
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, string $bytes) use (&$received) {
        strlen($received) < 100_000 and usleep(200);
        $received .= $bytes;
        return strlen($bytes);
    });
    curl_exec($curl);
    return md5($received);
}

[$paused, $slow, $second] = await_all_or_fail([spawn(paused(...), $url), spawn(slow(...), $url), spawn(slow(...), $url)]);
$expected = md5(str_repeat('0123456789abcdef', SIZE / 16));
var_dump($paused === "3 pauses $expected", $slow === $expected, $second === $expected);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
