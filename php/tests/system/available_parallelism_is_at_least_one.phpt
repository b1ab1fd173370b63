--TEST--
available_parallelism() is at least 1
--FILE--
<?php
var_dump(is_int(Async\available_parallelism()), Async\available_parallelism() >= 1);
?>
--EXPECT--
bool(true)
bool(true)
