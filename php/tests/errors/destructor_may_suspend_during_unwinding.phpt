--TEST--
A destructor may suspend while an exception unwinds the stack
--FILE--
<?php
use function Async\{spawn, suspend, await};
class D { function __destruct() { echo "d1\n"; suspend(); echo "d2\n"; } }
$c = spawn(function () { $d = new D; throw new Exception("x"); });
try { await($c); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
--EXPECT--
d1
d2
x
