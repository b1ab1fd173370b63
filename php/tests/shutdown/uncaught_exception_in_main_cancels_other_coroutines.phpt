--TEST--
An uncaught exception in main cancels the other coroutines and is reported after they finish
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, suspend, delay};
spawn(function () { try { delay(1000); } finally { delay(1); echo "cleanup\n"; } });
suspend();
throw new Exception("main");
--EXPECTF--
cleanup

Fatal error: Uncaught Exception: main in %s:5
Stack trace:
#0 {main}
  thrown in %s on line 5
