--TEST--
A closed, cancelled or disposed group rejects new tasks
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

foreach (["close", "cancel", "dispose"] as $end) {
    $group = new TaskGroup;
    var_dump($group->isClosed());
    $group->$end();
    var_dump($group->isClosed());
    try { $group->spawn(fn() => 1); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
bool(false)
bool(true)
Cannot spawn tasks on a closed TaskGroup
bool(false)
bool(true)
Cannot spawn tasks on a closed TaskGroup
bool(false)
bool(true)
Cannot spawn tasks on a closed TaskGroup
