--TEST--
race() returns the first finished result, also when called again; other tasks continue
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(function () { delay(5); echo "slow ended\n"; return "slow"; });
$group->spawn(fn() => "fast");
var_dump($group->race()->await(), $group->race()->await());
var_dump($group->all()->await());
var_dump($group->race()->await());
?>
--EXPECT--
string(4) "fast"
string(4) "fast"
slow ended
array(2) {
  [0]=>
  string(4) "slow"
  [1]=>
  string(4) "fast"
}
string(4) "fast"
