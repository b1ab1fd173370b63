--TEST--
await_any_of() and await_any_of_or_fail() return after the given number of successes
--FILE--
<?php
use function Async\{spawn, await_any_of, await_any_of_or_fail, delay};
$make = function () { $c = []; foreach ([80, 1, 20, 50000] as $i => $ms) $c["t$i"] = spawn(function () use ($i, $ms) { delay($ms); return $i; }); return $c; };
$stop = fn($all) => array_map(fn($c) => $c->cancel(), $all);
[$r, $e] = await_any_of(2, $all = $make());
var_dump(json_encode($r), $e); $stop($all);
var_dump(json_encode(await_any_of_or_fail(2, $all = $make(), null, false))); $stop($all);
try { await_any_of_or_fail(2, [spawn(fn() => 1), spawn(fn() => throw new Exception("x")), spawn(fn() => 1)]); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
[$r, $e] = await_any_of(3, ["a" => spawn(fn() => 1), "b" => spawn(fn() => throw new Exception("b"))]);
var_dump(count($r), count($e));
?>
--EXPECT--
string(15) "{"t1":1,"t2":2}"
array(0) {
}
string(15) "{"t1":1,"t2":2}"
x
int(1)
int(1)
