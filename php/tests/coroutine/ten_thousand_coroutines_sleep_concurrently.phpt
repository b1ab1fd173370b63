--TEST--
Ten thousand coroutines sleep concurrently
--FILE--
<?php
use function Async\{spawn, delay, await, get_coroutines};
$n = 0;
for ($i = 0; $i < 10000; $i++) $all[] = spawn(function () use (&$n) { delay(10); $n++; });
foreach ($all as $c) await($c);
var_dump($n, count(get_coroutines()));
--EXPECT--
int(10000)
int(1)
