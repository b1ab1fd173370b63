--TEST--
A capacity that no memory could hold is a wrong argument, which is named
--FILE--
<?php
try { new Async\Channel(PHP_INT_MAX); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\Channel::__construct(): Argument #1 ($capacity) must not be so large that there is no memory for its buffer
