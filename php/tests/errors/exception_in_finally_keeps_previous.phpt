--TEST--
Exceptions thrown while another unwinds keep it as previous, across waits
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () {
    try { throw new Exception("one"); } finally { suspend(); throw new Exception("two"); }
});
try { await($c); } catch (Exception $e) { echo $e->getMessage(), " <- ", $e->getPrevious()->getMessage(), "\n"; }
--EXPECT--
two <- one
