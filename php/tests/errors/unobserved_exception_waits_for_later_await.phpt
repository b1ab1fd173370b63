--TEST--
An unobserved exception is kept for a later await() while the handle exists
--FILE--
<?php
use function Async\{spawn, delay, await};
$c = spawn(function () { throw new RuntimeException("later"); });
delay(2);
echo "still running\n";
try { await($c); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
--EXPECT--
still running
later
