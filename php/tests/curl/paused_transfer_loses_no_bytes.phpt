--TEST--
IO-31: a transfer that is paused and resumed, and one whose callback waits, lose no byte
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/server.inc';
use function Async\{await_all_or_fail, delay, spawn};

const SIZE = 1 << 20;
$url = serve(3, SIZE);

/** By the multi interface: whoever resumes it does so from outside. */
function paused(string $url): string
{
    $got = '';
    $pauses = 0;
    $multi = curl_multi_init();
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, string $bytes) use (&$got, &$pauses) {
        if ($pauses < 3 && strlen($got) > $pauses * 100_000) {
            $pauses++;
            spawn(function () use ($curl) {
                delay(2);
                curl_pause($curl, CURLPAUSE_CONT);
            });
            return CURL_WRITEFUNC_PAUSE;
        }
        $got .= $bytes;
        return strlen($bytes);
    });
    curl_multi_add_handle($multi, $curl);
    do {
        curl_multi_exec($multi, $running);
        curl_multi_select($multi, 0.01) or delay(1);  // at once where all are paused, as in plain PHP
    } while ($running);
    return "$pauses pauses " . md5($got);
}

/** The callback itself waits. */
function slow(string $url): string
{
    $got = '';
    $curl = curl_init($url);
    curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, string $bytes) use (&$got) {
        strlen($got) < 100_000 and usleep(200);
        $got .= $bytes;
        return strlen($bytes);
    });
    curl_exec($curl);
    return md5($got);
}

[$paused, $slow, $second] = await_all_or_fail([spawn(paused(...), $url), spawn(slow(...), $url), spawn(slow(...), $url)]);
$whole = md5(str_repeat('0123456789abcdef', SIZE / 16));
var_dump($paused === "3 pauses $whole", $slow === $whole, $second === $whole);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
