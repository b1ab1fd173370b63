--TEST--
When the last handle goes the exception nobody saw goes up
--FILE--
<?php
use function Async\{spawn, delay};
set_exception_handler(function ($e) { echo "handler: ", $e->getMessage(), "\n"; });
$c = spawn(function () { throw new RuntimeException("unseen"); });
delay(1);
unset($c);
try { delay(10); } catch (Cancellation $e) { echo "main is asked to end\n"; }
--EXPECT--
main is asked to end
handler: unseen
