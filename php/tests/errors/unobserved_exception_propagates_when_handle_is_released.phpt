--TEST--
An unobserved exception propagates when the last handle of its coroutine is released
--FILE--
<?php
use function Async\{spawn, delay};
set_exception_handler(function ($e) { echo "handler: ", $e->getMessage(), "\n"; });
$c = spawn(function () { throw new RuntimeException("unobserved"); });
delay(1);
unset($c);
try { delay(10); } catch (Cancellation $e) { echo "main is cancelled\n"; }
--EXPECT--
main is cancelled
handler: unobserved
