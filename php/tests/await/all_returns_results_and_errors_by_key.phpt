--TEST--
await_all() returns results and errors by key, in input order
--FILE--
<?php
use function Async\{spawn, await_all, delay};
[$r, $e] = await_all([
    "slow" => spawn(function () { delay(5); return 1; }),
    "bad" => spawn(fn() => throw new Exception("no")),
    7 => spawn(fn() => 3),
]);
var_dump($r);
foreach ($e as $k => $x) echo "$k: ", $x->getMessage(), "\n";
var_dump(await_all([]));
?>
--EXPECT--
array(2) {
  ["slow"]=>
  int(1)
  [7]=>
  int(3)
}
bad: no
array(2) {
  [0]=>
  array(0) {
  }
  [1]=>
  array(0) {
  }
}
