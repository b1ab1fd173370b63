--TEST--
The execution time limit ends a coroutine that loops
--DESCRIPTION--
not under: asan
--FILE--
<?php
use function Async\{spawn, suspend};
set_time_limit(1);
spawn(function () { while (true) { suspend(); } });
spawn(function () { while (true) { suspend(); } });
suspend();
while (true) suspend();
--EXPECTF--

Fatal error: Maximum execution time of 1 second exceeded in %s on line %d
