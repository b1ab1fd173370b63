--TEST--
A nonexistent working directory fails the future
--FILE--
<?php
use function Async\{exec, await};
try { await(exec("true", cwd: "/no/such/directory")); } catch (Async\InputOutputException $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
Async\InputOutputException
