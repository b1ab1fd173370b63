--TEST--
A token ends the wait for a group's future; the tasks continue
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(function () { delay(20); return "late"; });
try { $group->all()->await(timeout(1)); } catch (Async\OperationCanceledException $e) { echo get_class($e->getPrevious()), "\n"; }
var_dump($group->all()->await());
?>
--EXPECT--
Async\TimeoutException
array(1) {
  [0]=>
  string(4) "late"
}
