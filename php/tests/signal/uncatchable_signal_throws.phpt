--TEST--
signal() throws for SIGKILL, which cannot be caught
--FILE--
<?php
try { Async\signal(Async\Signal::SIGKILL); } catch (Async\AsyncException $e) { echo get_class($e), "\n"; }
try { Async\signal(9); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECTF--
Async\AsyncException
Async\signal(): Argument #1 ($signal) must be of type Async\Signal, int given
