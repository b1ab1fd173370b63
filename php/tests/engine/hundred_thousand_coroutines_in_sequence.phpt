--TEST--
A hundred thousand coroutines, one after the other
--FILE--
<?php
use function Async\{spawn, await, suspend};
$n = 0;
for ($i = 0; $i < 100000; $i++) { spawn(function () use (&$n) { $n++; }); if ($i % 100 === 0) suspend(); }
suspend();
var_dump($n);
--EXPECT--
int(100000)
