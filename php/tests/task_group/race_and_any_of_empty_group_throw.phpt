--TEST--
race() and any() of an empty group throw
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
foreach (["race", "any"] as $method) {
    try { $group->$method(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
Cannot race on an empty TaskGroup
Cannot call any() on an empty TaskGroup
