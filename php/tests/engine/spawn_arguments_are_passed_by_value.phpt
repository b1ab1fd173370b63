--TEST--
Arguments are passed by value, objects as handles
--FILE--
<?php
use function Async\{spawn, await};
$x = 1; $o = new stdClass;
await(spawn(function ($x, $o) { $x++; $o->v = $x; }, $x, $o));
var_dump($x, $o->v);
--EXPECT--
int(1)
int(2)
