--TEST--
What is spawned during a shutdown is asked to end when main fails as well, and its handlers are not tried for ever (SHU-02)
--FILE--
<?php
use function Async\{delay, graceful_shutdown, spawn, suspend};

graceful_shutdown();
try {
    suspend();
} catch (Cancellation $asked) {
    echo "main was asked to end\n";
}
spawn(function () {
    try {
        delay(86_400_000);
    } finally {
        echo "the one spawned since ends\n";
    }
})->finally(fn () => print("its handler\n"));
delay(1);
throw new LogicException('a second failure');
?>
--EXPECTF--
main was asked to end
the one spawned since ends

Fatal error: Uncaught LogicException: a second failure in %s:%d
Stack trace:
#0 {main}
  thrown in %s on line %d
