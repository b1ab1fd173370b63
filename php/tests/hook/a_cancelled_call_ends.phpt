--TEST--
A coroutine that is cancelled in a blocking call leaves it and gets the cancellation; the next call works (IO-10)
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await, spawn, delay};

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
[$server] = listening();
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
        echo "and may sleep again\n";
    });
    delay(5);
    $coroutine->cancel();
    await($coroutine);
}
?>
--EXPECT--
sleep: Async\AsyncCancellation
and may sleep again
fgets: Async\AsyncCancellation
and may sleep again
accept: Async\AsyncCancellation
and may sleep again
select: Async\AsyncCancellation
and may sleep again
shell_exec: Async\AsyncCancellation
and may sleep again
