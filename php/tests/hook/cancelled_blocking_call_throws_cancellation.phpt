--TEST--
IO-10: a coroutine cancelled in a blocking call gets the cancellation; its next call works
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn, delay};

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
[$server] = open_listener();
$calls = [
    'sleep' => fn () => sleep(3600),
    'fgets' => fn () => fgets($right),
    'accept' => fn () => stream_socket_accept($server, 3600),
    'select' => function () use ($right) {
        $read = [$right];
        $none = null;
        return stream_select($read, $none, $none, 3600);
    },
    'shell_exec' => fn () => shell_exec('exec sleep 5 2>/dev/null'),
];
foreach ($calls as $name => $call) {
    $coroutine = spawn(function () use ($name, $call) {
        try {
            @$call();
            echo "$name returned\n";
        } catch (Cancellation $cancellation) {
            echo "$name: ", $cancellation::class, "\n";
        }
        usleep(1);
        echo "next call returned\n";
    });
    delay(5);
    $coroutine->cancel();
    await($coroutine);
}
?>
--EXPECT--
sleep: Async\AsyncCancellation
next call returned
fgets: Async\AsyncCancellation
next call returned
accept: Async\AsyncCancellation
next call returned
select: Async\AsyncCancellation
next call returned
shell_exec: Async\AsyncCancellation
next call returned
