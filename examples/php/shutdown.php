<?php
// Graceful shutdown on SIGTERM: every coroutine is cancelled, cleans up – it may wait for that – and the program ends
// with code 0. Here the program sends the signal to itself.
use Async\{AsyncCancellation, Signal};
use function Async\{await, delay, graceful_shutdown, signal, spawn};

spawn(function () {
    await(signal(Signal::SIGTERM));
    graceful_shutdown();
});
for ($i = 1; $i <= 3; $i++) {
    spawn(function () use ($i) {
        try {
            delay(3_600_000);
        } catch (AsyncCancellation $cancellation) {
            delay($i);  // say goodbye to the peer
            echo "connection $i closed\n";
            throw $cancellation;
        }
    });
}
delay(5);
echo "SIGTERM\n";
exec('kill -TERM ' . getmypid());
