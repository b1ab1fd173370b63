--TEST--
Generators may suspend, also during their destruction
--FILE--
<?php
use function Async\{spawn, await, delay, suspend};
function gen($n) { try { for ($i = 0; $i < 3; $i++) { delay(1); yield $i => "$n$i"; } } finally { suspend(); echo "closed $n\n"; } }
function both() { yield from gen('x'); yield from gen('y'); }
$a = spawn(fn() => implode(',', iterator_to_array(both(), false)));
$b = spawn(function () { foreach (gen('z') as $v) { if ($v === 'z1') break; } return $v; });
echo await($a), "\n", await($b), "\n";
--EXPECT--
closed z
closed x
closed y
x0,x1,x2,y0,y1,y2
z1
