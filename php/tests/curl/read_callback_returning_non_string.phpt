--TEST--
IO-33: a read callback that returns something else than text means what it means in plain PHP
--EXTENSIONS--
curl
--FILE--
<?php
require __DIR__ . '/server.inc';
use function Async\{await, spawn};

$url = serve(4);
function upload(string $url, mixed $answer): array
{
    $curl = curl_init($url);
    $calls = 0;
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_UPLOAD => true, CURLOPT_INFILESIZE => 4,
        CURLOPT_TIMEOUT => 1, CURLOPT_HTTPHEADER => ['Expect:'],
        CURLOPT_READFUNCTION => function () use (&$calls, $answer) {
            return $calls++ ? '' : $answer;
        }]);
    $result = @curl_exec($curl);
    return [$result, curl_errno($curl)];
}
// Nothing, where more was announced, ends a newer libcurl's transfer at once (26), an older one's in time (28).
const ABORT = 0x10000000;  // libcurl's CURL_READFUNC_ABORT
foreach (['text', ABORT, null, CURL_READFUNC_PAUSE] as $answer) {
    echo json_encode($answer), ': ', json_encode(await(spawn(upload(...), $url, $answer))), "\n";
}
?>
--EXPECTF--
"text": ["got text",0]
268435456: [false,42]
null: [false,2%d]
268435457: [false,28]
