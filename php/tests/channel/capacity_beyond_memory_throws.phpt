--TEST--
A capacity that exceeds memory throws a ValueError that names the argument
--FILE--
<?php
try { new Async\Channel(PHP_INT_MAX); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\Channel::__construct(): Argument #1 ($capacity) is too large: cannot allocate the buffer
