--TEST--
A directory that is not there fails the future
--FILE--
<?php
use function Async\{exec, await};
try { await(exec("true", cwd: "/no/such/directory")); } catch (Async\InputOutputException $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
Async\InputOutputException
