--TEST--
Callbacks of array_map, usort, preg_replace_callback and __toString may suspend
--FILE--
<?php
use function Async\{spawn, await, delay, suspend};
$a = spawn(fn() => array_map(function ($x) { suspend(); return $x * 2; }, [1, 2, 3]));
$b = spawn(function () { $l = [3, 1, 2]; usort($l, function ($x, $y) { suspend(); return $x <=> $y; }); return $l; });
$c = spawn(fn() => preg_replace_callback('/\d/', function ($m) { suspend(); return $m[0] + 1; }, 'a1b2'));
$d = spawn(fn() => (string) new class { function __toString() { suspend(); return "text"; } });
echo json_encode([await($a), await($b), await($c), await($d)]), "\n";
--EXPECT--
[[2,4,6],[1,2,3],"a2b3","text"]
