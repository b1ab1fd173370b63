--TEST--
Cancelling a chained future cancels the coroutine of its callback
--FILE--
<?php
use Async\Future;
use function Async\{await, delay, spawn, suspend};
$link = Future::completed(1)->map(function () {
    try { delay(100000); } catch (Cancellation $e) { echo "callback cancelled\n"; throw $e; }
});
suspend();
suspend();
$link->cancel();
try { await($link); } catch (Cancellation $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
Async\AsyncCancellation
callback cancelled
