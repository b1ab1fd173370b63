--TEST--
AW-05 AW-06: one awaitable under several keys delivers its result under each key
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, await_all, delay};
$c = spawn(function () { delay(1); return new stdClass; });
[$r] = await_all(["a" => $c, "b" => $c, str_repeat("k", 3) => $c]);
var_dump(count($r), $r["a"] === $r["kkk"]);
?>
--EXPECT--
int(3)
bool(true)
