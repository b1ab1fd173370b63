--TEST--
await_all_or_fail() accepts a generator that spawns and suspends, and keeps its keys
--FILE--
<?php
use function Async\{spawn, await_all_or_fail, delay, suspend};
function tasks() { foreach (["a" => 3, "b" => 1] as $k => $ms) { echo "spawn $k\n"; yield $k => spawn(function () use ($k, $ms) { delay($ms); return "$k done"; }); suspend(); } }
var_dump(await_all_or_fail(tasks()));
?>
--EXPECT--
spawn a
spawn b
array(2) {
  ["a"]=>
  string(6) "a done"
  ["b"]=>
  string(6) "b done"
}
