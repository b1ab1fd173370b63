--TEST--
all() returns the results by key, in spawn order
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawnWithKey("slow", function () { delay(5); return 1; });
$group->spawn(fn($a, $b) => $a + $b, 2, b: 3);
$group->spawnWithKey(7, fn() => "seven");
$group->spawn(fn() => null);
var_dump($group->all()->await());
var_dump($group->all()->await() === $group->getResults(), count($group));
?>
--EXPECT--
array(4) {
  ["slow"]=>
  int(1)
  [0]=>
  int(5)
  [7]=>
  string(5) "seven"
  [8]=>
  NULL
}
bool(true)
int(4)
