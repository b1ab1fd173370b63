--TEST--
The state queries follow the lifecycle of a coroutine
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, suspend, delay, await};
function show($c) {
    echo implode(' ', array_keys(array_filter(['started' => $c->isStarted(), 'queued' => $c->isQueued(), 'running' => $c->isRunning(),
        'suspended' => $c->isSuspended(), 'completed' => $c->isCompleted(), 'cancelled' => $c->isCancelled()]))), "\n";
}
$c = spawn(function () use (&$c) { show($c); delay(5); });
show($c);
suspend();
show($c);
await($c);
show($c);
var_dump(is_int($c->getId()), $c->getException());
--EXPECT--
queued
started running
started suspended
started completed
bool(true)
NULL
