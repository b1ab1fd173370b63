--TEST--
SWH-04 ST-06: ob_start() in one coroutine does not affect other coroutines
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, suspend, await};
$a = spawn(function () { ob_start(); echo "a1 "; suspend(); echo "a2 "; ob_start(); echo "inner "; suspend(); $i = ob_get_clean(); return ob_get_clean() . "| $i"; });
$b = spawn(function () { ob_start(fn($s) => strtoupper($s)); echo "b1 "; suspend(); echo "b2"; suspend(); $s = ob_get_level(); ob_end_clean(); return $s; });
ob_start();
echo "main ";
suspend();
echo "main";
$m = ob_get_clean();
echo "plain\n";
var_dump($m, await($a), await($b), ob_get_level());
--EXPECT--
plain
string(9) "main main"
string(14) "a1 a2 | inner "
int(1)
int(0)
