--TEST--
stream_select suspends, finds those that are ready, and keeps its time limit
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn};

$pairs = array_map(fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0), range(0, 4));
$selector = spawn(function () use ($pairs) {
    $left = array_column($pairs, 1);
    while ($left) {
        [$read, $write, $except] = [$left, null, null];
        $count = stream_select($read, $write, $except, 10);
        foreach ($read as $key => $stream) {
            echo "$count: $key says ", fgets($stream);
            unset($left[$key]);
        }
    }
});
spawn(function () use ($pairs) {
    foreach ([3, 0, 4, 1, 2] as $one) {
        fwrite($pairs[$one][0], "word $one\n");
        usleep(1000);
    }
});
await($selector);
[$read, $write, $except] = [[$pairs[0][1]], null, null];
var_dump(beside_another('select', function () use ($read, $write, $except) {
    return stream_select($read, $write, $except, 0, 5000);
}));
?>
--EXPECT--
1: 3 says word 3
1: 0 says word 0
1: 4 says word 4
1: 1 says word 1
1: 2 says word 2
select: begin other end
int(0)
