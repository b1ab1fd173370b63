--TEST--
Static variables and globals are shared by all coroutines
--FILE--
<?php
use function Async\{spawn, await, suspend};
$g = 0;
function next_number() { static $n = 0; return ++$n; }
$all = [];
for ($i = 0; $i < 3; $i++) $all[] = spawn(function () { global $g; $g++; suspend(); return next_number(); });
foreach ($all as $c) echo await($c);
echo " $g\n";
--EXPECT--
123 3
