--TEST--
SH-02 SH-03: a fatal error in a coroutine ends the program; shutdown functions run, other coroutines do not
--FILE--
<?php
use function Async\{spawn, delay};
register_shutdown_function(function () {
    echo "shutdown: ", error_get_last()['message'], "\n";
    try { spawn(fn() => 1); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
});
spawn(function () { try { delay(1000); } finally { echo "wrong\n"; } });
spawn(function () { delay(1); eval('function twice() {} function twice() {}'); });
spawn(function () { delay(2); echo "wrong\n"; });
delay(1000);
echo "wrong\n";
--EXPECTF--

Fatal error: Cannot redeclare %Stwice() (previously declared in %s on line 1
shutdown: Cannot redeclare %Stwice() (previously declared in %s:1)
Cannot spawn or await: the request has ended
