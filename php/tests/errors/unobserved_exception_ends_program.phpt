--TEST--
SHU-01: an unobserved exception cancels the other coroutines and is reported at the end of the program
--FILE--
<?php
use function Async\{spawn, delay};
register_shutdown_function(function () { echo "shutdown function\n"; });
spawn(function () { try { delay(1000); } finally { delay(1); echo "cleanup\n"; } });
spawn(function () { delay(1); throw new RuntimeException("boom"); });
delay(1000);
echo "never\n";
--EXPECTF--
cleanup

Fatal error: Uncaught RuntimeException: boom in %s:%d
Stack trace:
#0 [internal function]: {closure%S}()
#1 {main}
  thrown in %s on line %d
shutdown function
