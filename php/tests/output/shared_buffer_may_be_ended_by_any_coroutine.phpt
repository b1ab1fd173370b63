--TEST--
SWH-04: with output_buffering any coroutine may end the shared buffer; other coroutines continue to write
--INI--
output_buffering=4096
--FILE--
<?php
use function Async\{spawn, suspend, await};
echo "m1 ";
$a = spawn(function () { echo "a1 "; ob_start(); echo "a2 "; suspend(); suspend(); echo "a3 "; ob_end_flush(); suspend(); });
$b = spawn(function () { echo "b1 "; ob_end_flush(); echo "b2 "; suspend(); echo "b3 "; });
suspend();
echo "m2 ";
await($a);
await($b);
await(spawn(function () { echo "c", ob_get_level(), " "; }));
echo "m", ob_get_level(), "\n";
--EXPECT--
m1 a1 b1 b2 m2 b3 a2 a3 c0 m0
