--TEST--
IO-33: a read callback that returns a non-string behaves as in plain PHP
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/server.inc';
use function Async\{await, spawn};

$url = serve(4);
function upload(string $url, mixed $return_value): array
{
    $curl = curl_init($url);
    $calls = 0;
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_UPLOAD => true, CURLOPT_INFILESIZE => 4,
        CURLOPT_TIMEOUT => 1, CURLOPT_HTTPHEADER => ['Expect:'],
        CURLOPT_READFUNCTION => function () use (&$calls, $return_value) {
            return $calls++ ? '' : $return_value;
        }]);
    $result = @curl_exec($curl);
    return [$result, curl_errno($curl)];
}
// An empty read before the announced size: newer libcurl fails immediately (26), older libcurl times out (28).
const ABORT = 0x10000000;  // libcurl's CURL_READFUNC_ABORT
foreach (['text', ABORT, null, CURL_READFUNC_PAUSE] as $return_value) {
    echo json_encode($return_value), ': ', json_encode(await(spawn(upload(...), $url, $return_value))), "\n";
}
?>
--EXPECTF--
"text": ["got text",0]
268435456: [false,42]
null: [false,2%d]
268435457: [false,28]
