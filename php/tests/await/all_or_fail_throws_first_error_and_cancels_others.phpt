--TEST--
await_all_or_fail() throws the first error and cancels the other coroutines
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, await_all_or_fail, delay, suspend};
$other = spawn(function () { try { delay(100000); } catch (Cancellation $e) { echo "cancelled\n"; throw $e; } });
try {
    await_all_or_fail([$other, spawn(function () { delay(1); throw new Exception("first"); }), spawn(fn() => 1)]);
} catch (Exception $e) { echo $e->getMessage(), "\n"; }
suspend();
var_dump(await_all_or_fail(["a" => spawn(fn() => 1), "b" => spawn(fn() => null)]), await_all_or_fail([]));
?>
--EXPECT--
first
cancelled
array(2) {
  ["a"]=>
  int(1)
  ["b"]=>
  NULL
}
array(0) {
}
