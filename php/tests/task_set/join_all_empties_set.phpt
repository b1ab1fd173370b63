--TEST--
joinAll() returns all results by key and empties the set
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawnWithKey("a", function () { delay(1); return 10; });
$set->spawnWithKey("b", fn() => 20);
var_dump($set->joinAll()->await(), count($set), $set->joinAll()->await());
$set->spawnWithKey("a", fn() => "the key is free again");
var_dump($set->joinNext()->await());
?>
--EXPECT--
array(2) {
  ["a"]=>
  int(10)
  ["b"]=>
  int(20)
}
int(0)
array(0) {
}
string(21) "the key is free again"
