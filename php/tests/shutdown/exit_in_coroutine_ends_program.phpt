--TEST--
SH-06: exit() in a coroutine ends the program with an orderly shutdown and throws nothing in main
--FILE--
<?php
use function Async\{spawn, delay};
register_shutdown_function(function () { echo "shutdown function\n"; });
spawn(function () { try { delay(1000); } finally { delay(1); echo "cleanup\n"; } });
spawn(function () { delay(1); echo "exit\n"; exit(3); });
try { delay(1000); } catch (Throwable $t) { echo "wrong\n"; } finally { echo "wrong\n"; }
echo "never\n";
--EXPECT--
exit
cleanup
shutdown function
