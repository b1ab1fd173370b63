--TEST--
fillNull puts null where a task failed
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, await_all, await_any_of};
$make = fn() => ["x" => spawn(fn() => throw new Exception("x")), "y" => spawn(fn() => 2)];
[$r, $e] = await_all($make(), fillNull: true);
var_dump($r, array_keys($e));
[$r, $e] = await_any_of(1, $make(), fillNull: true);
var_dump($r);
?>
--EXPECT--
array(2) {
  ["x"]=>
  NULL
  ["y"]=>
  int(2)
}
array(1) {
  [0]=>
  string(1) "x"
}
array(2) {
  ["x"]=>
  NULL
  ["y"]=>
  int(2)
}
