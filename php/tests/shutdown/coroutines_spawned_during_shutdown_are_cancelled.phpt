--TEST--
SHU-02: a coroutine spawned during shutdown is cancelled if main fails too, and its handlers do not run
--FILE--
<?php
use function Async\{delay, graceful_shutdown, spawn, suspend};

graceful_shutdown();
try {
    suspend();
} catch (Cancellation $cancellation) {
    echo "main was cancelled\n";
}
spawn(function () {
    try {
        delay(86_400_000);
    } finally {
        echo "late coroutine ends\n";
    }
})->finally(fn () => print("handler of the late coroutine\n"));
delay(1);
throw new LogicException('a second failure');
?>
--EXPECTF--
main was cancelled
late coroutine ends

Fatal error: Uncaught LogicException: a second failure in %s:%d
Stack trace:
#0 {main}
  thrown in %s on line %d
