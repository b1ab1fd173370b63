--TEST--
An exception that nobody picked up stays on the handle for a later await
--FILE--
<?php
use function Async\{spawn, delay, await};
$c = spawn(function () { throw new RuntimeException("later"); });
delay(2);
echo "still fine\n";
try { await($c); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
--EXPECT--
still fine
later
