--TEST--
getTrace() returns the frames of a suspended coroutine and null in any other state
--FILE--
<?php
use function Async\{spawn, suspend, await};
function inner() { suspend(); }
function outer($x) { inner(); }
$c = spawn(fn() => outer(5));
var_dump($c->getTrace());
suspend();
foreach ($c->getTrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $f) echo $f['function'], "\n";
var_dump(count($c->getTrace(0, 1)));
await($c);
var_dump($c->getTrace());
--EXPECTF--
NULL
Async\suspend
inner
outer
{closure%S}
int(1)
NULL
