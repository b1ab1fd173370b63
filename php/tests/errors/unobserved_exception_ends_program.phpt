--TEST--
SHU-01: an exception nobody awaits cancels the others, is shown at the end, exit code 255
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
