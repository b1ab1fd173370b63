--TEST--
https:// suspends with the stream wrapper and with curl: many slow pages load concurrently and completely
--EXTENSIONS--
curl
openssl
--INI--
allow_url_fopen=1
--SKIPIF--
<?php if (!getenv('TRUEASYNC_HTTPS_URL')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await_all_or_fail, spawn};

$url = getenv('TRUEASYNC_HTTPS_URL');
$certificate = getenv('TRUEASYNC_HTTPS_CERTIFICATE');
$context = stream_context_create(['ssl' => ['cafile' => $certificate]]);
function page(string $url, string $certificate): string
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_CAINFO => $certificate]);
    return curl_exec($curl) ?: curl_error($curl);
}
var_dump(run_beside_other('wrapper', fn () => file_get_contents("$url/slow", false, $context)));
var_dump(run_beside_other('curl', fn () => page("$url/slow", $certificate)));
var_dump(file_get_contents("$url/text", false, $context));

// All requests are in flight before the first response.
$started = $finished = $concurrent = 0;
$slow = function (callable $load) use (&$started, &$finished, &$concurrent) {
    $started++;
    $text = $load();
    $concurrent = max($concurrent, $started - $finished);
    $finished++;
    return $text;
};
$pages = [];
for ($i = 0; $i < 20; $i++) {
    $pages[] = spawn($slow, fn () => file_get_contents("$url/slow", false, $context));
    $pages[] = spawn($slow, fn () => page("$url/slow", $certificate));
}
$texts = await_all_or_fail($pages);
echo $concurrent, ' concurrent, ', implode('|', array_unique($texts)), "\n";

$big = str_repeat(implode('', array_map(chr(...), range(0, 255))), 4096);
foreach (await_all_or_fail([
    spawn(fn () => file_get_contents("$url/big", false, $context)),
    spawn(fn () => page("$url/big", $certificate)),
]) as $received) {
    var_dump($received === $big);
}
// A certificate that no known authority has signed.
var_dump(@file_get_contents("$url/text"));
?>
--EXPECT--
wrapper: begin other end
string(9) "slow text"
curl: begin other end
string(9) "slow text"
string(13) "text over TLS"
40 concurrent, slow text
bool(true)
bool(true)
bool(false)
