--TEST--
A timeout kills the command and fails the future
--FILE--
<?php
use function Async\{exec, await};
$begin = hrtime(true);
try { await(exec("sleep 60", timeout: 20)); } catch (Async\TimeoutException $e) { echo $e->getMessage(), "\n"; }
var_dump(hrtime(true) - $begin < 20e9);
?>
--EXPECT--
Command timed out after 20 ms: sleep 60
bool(true)
