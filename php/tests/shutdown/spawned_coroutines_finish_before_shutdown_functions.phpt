--TEST--
Coroutines spawned by the main script run to their end before shutdown functions
--FILE--
<?php
use function Async\{spawn, delay};
register_shutdown_function(function () { echo "shutdown function\n"; });
spawn(function () { delay(2); echo "late\n"; spawn(function () { delay(1); echo "later\n"; }); });
echo "main ends\n";
--EXPECT--
main ends
late
later
shutdown function
