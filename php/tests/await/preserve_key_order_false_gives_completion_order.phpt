--TEST--
AW-14: preserveKeyOrder: false gives completion order, with the same keys
--FILE--
<?php
use function Async\{spawn, await_all, await_all_or_fail, delay};
$make = fn() => ["a" => spawn(function () { delay(10); return 1; }), "b" => spawn(fn() => 2), "c" => spawn(function () { delay(3); return 3; })];
[$r] = await_all($make(), null, false);
echo json_encode($r), json_encode(await_all_or_fail($make(), preserveKeyOrder: false)), json_encode(await_all_or_fail($make())), "\n";
?>
--EXPECT--
{"b":2,"c":3,"a":1}{"b":2,"c":3,"a":1}{"a":1,"b":2,"c":3}
