--TEST--
await_any_or_fail() returns or throws the first outcome; the other coroutines continue
--FILE--
<?php
use function Async\{spawn, await_any_or_fail, delay, await};
$slow = spawn(function () { delay(5); return "slow"; });
var_dump(await_any_or_fail([$slow, spawn(fn() => "quick")]));
try { await_any_or_fail([spawn(function () { delay(50); }), spawn(fn() => throw new Exception("failed first"))]); }
catch (Exception $e) { echo $e->getMessage(), "\n"; }
var_dump(await($slow));
try { await_any_or_fail([]); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
string(5) "quick"
failed first
string(4) "slow"
Cannot call await_any_or_fail() with an empty iterable
