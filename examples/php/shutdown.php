<?php
// Graceful shutdown on SIGTERM: every coroutine is cancelled and runs its cleanup, which may suspend. The exit code is 0.
// This program sends the signal to itself.
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
            delay($i);  // cleanup, for example a message to the peer
            echo "connection $i closed\n";
            throw $cancellation;
        }
    });
}
delay(5);
echo "SIGTERM\n";
exec('kill -TERM ' . getmypid());
