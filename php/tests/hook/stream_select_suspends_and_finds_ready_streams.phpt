--TEST--
stream_select() suspends, returns the ready streams, and keeps its timeout
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn};

$pairs = array_map(fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0), range(0, 4));
$selector = spawn(function () use ($pairs) {
    $remaining = array_column($pairs, 1);
    while ($remaining) {
        [$read, $write, $except] = [$remaining, null, null];
        $count = stream_select($read, $write, $except, 10);
        foreach ($read as $key => $stream) {
            echo "$count: $key received ", fgets($stream);
            unset($remaining[$key]);
        }
    }
});
spawn(function () use ($pairs) {
    foreach ([3, 0, 4, 1, 2] as $index) {
        fwrite($pairs[$index][0], "word $index\n");
        usleep(1000);
    }
});
await($selector);
[$read, $write, $except] = [[$pairs[0][1]], null, null];
var_dump(run_beside_other('select', function () use ($read, $write, $except) {
    return stream_select($read, $write, $except, 0, 5000);
}));
?>
--EXPECT--
1: 3 received word 3
1: 0 received word 0
1: 4 received word 4
1: 1 received word 1
1: 2 received word 2
select: begin other end
int(0)
