--TEST--
A hundred thousand coroutines run in sequence
--FILE--
<?php
use function Async\{spawn, await, suspend};
$n = 0;
for ($i = 0; $i < 100000; $i++) { spawn(function () use (&$n) { $n++; }); if ($i % 100 === 0) suspend(); }
suspend();
var_dump($n);
--EXPECT--
int(100000)
