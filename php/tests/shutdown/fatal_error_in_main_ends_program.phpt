--TEST--
SH-02: a fatal error in main ends the program while other coroutines wait
--FILE--
<?php
use function Async\{spawn, delay};
class D { function __destruct() { echo "wrong\n"; } }
register_shutdown_function(function () { echo "shutdown function\n"; });
spawn(function () { $d = new D; try { delay(1000); } finally { echo "wrong\n"; } });
spawn(function () { $d = new D; delay(0); delay(1000); });
delay(1);
eval('function twice() {} function twice() {}');
--EXPECTF--

Fatal error: Cannot redeclare %Stwice() (previously declared in %s on line 1
shutdown function
