--TEST--
A second task with the same key throws; a numeric string equals its number
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawnWithKey("a", fn() => 1);
$group->spawnWithKey("5", fn() => 1);
foreach (["a", 5, "5"] as $key) {
    try { $group->spawnWithKey($key, fn() => 2); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
$group->spawn(fn() => "six");
var_dump(array_keys($group->all()->await()));
?>
--EXPECT--
Duplicate key "a" in TaskGroup
Duplicate key 5 in TaskGroup
Duplicate key "5" in TaskGroup
array(3) {
  [0]=>
  string(1) "a"
  [1]=>
  int(5)
  [2]=>
  int(6)
}
