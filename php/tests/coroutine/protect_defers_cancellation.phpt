--TEST--
CA-06: a protected block finishes; the cancellation comes right after it
--FILE--
<?php
use function Async\{spawn, suspend, await, delay, protect};
$c = spawn(function () {
    echo protect(function () { delay(3); return "whole\n"; });
    echo "never\n";
});
suspend();
$c->cancel();
try { await($c); } catch (Cancellation $e) { echo "cancelled\n"; }
$d = spawn(function () { protect(function () { delay(3); echo "whole\n"; }); });
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
whole
bool(true)
