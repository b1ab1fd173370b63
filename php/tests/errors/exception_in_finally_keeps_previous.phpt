--TEST--
An exception thrown in a finally block keeps the one being unwound as previous, also after a suspension
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () {
    try { throw new Exception("one"); } finally { suspend(); throw new Exception("two"); }
});
try { await($c); } catch (Exception $e) { echo $e->getMessage(), " <- ", $e->getPrevious()->getMessage(), "\n"; }
--EXPECT--
two <- one
