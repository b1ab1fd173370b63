--TEST--
CA-01: a cancellation is thrown at the suspension point; the coroutine may wait again, and a second cancel throws again
--FILE--
<?php
use function Async\{spawn, suspend, delay, await};
$c = spawn(function () {
    for ($i = 0; $i < 2; $i++) {
        try { delay(1000); } catch (\Cancellation $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; delay(1); echo "waited\n"; }
    }
    return "done";
});
suspend();
$c->cancel(new Async\AsyncCancellation("first"));
delay(50);
var_dump($c->isCompleted());
$c->cancel(new Async\AsyncCancellation("second"));
var_dump(await($c), $c->isCancelled());
--EXPECT--
Async\AsyncCancellation: first
waited
bool(false)
Async\AsyncCancellation: second
waited
string(4) "done"
bool(false)
