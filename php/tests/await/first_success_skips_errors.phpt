--TEST--
await_first_success() returns the first success and the errors before it
--FILE--
<?php
use function Async\{spawn, await_first_success, delay};
[$r, $e] = await_first_success(["a" => spawn(fn() => throw new Exception("a")), "b" => spawn(function () { delay(1); return "b"; }), "c" => spawn(function () { delay(100); throw new Exception("c"); })]);
var_dump($r, array_keys($e));
[$r, $e] = await_first_success(["a" => spawn(fn() => throw new Exception("a")), "b" => spawn(fn() => throw new Exception("b"))]);
var_dump($r, count($e));
exit(0);
?>
--EXPECT--
string(1) "b"
array(1) {
  [0]=>
  string(1) "a"
}
NULL
int(2)
