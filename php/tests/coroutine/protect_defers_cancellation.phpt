--TEST--
CA-06: protect() runs to its end; the cancellation is delivered directly after it
--FILE--
<?php
use function Async\{spawn, suspend, await, delay, protect};
$c = spawn(function () {
    echo protect(function () { delay(3); return "protected\n"; });
    echo "never\n";
});
suspend();
$c->cancel();
try { await($c); } catch (Cancellation $e) { echo "cancelled\n"; }
$d = spawn(function () { protect(function () { delay(3); echo "protected\n"; }); });
suspend();
var_dump($d->isCancellationRequested());
$d->cancel();
var_dump($d->isCancellationRequested());
delay(10);
var_dump($d->isCancelled());
--EXPECT--
cancelled
bool(false)
bool(true)
protected
bool(true)
