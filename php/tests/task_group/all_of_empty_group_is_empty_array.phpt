--TEST--
all() of an empty group is an empty array
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

var_dump((new TaskGroup)->all()->await());
?>
--EXPECT--
array(0) {
}
