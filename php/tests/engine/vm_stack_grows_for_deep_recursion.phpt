--TEST--
The VM stack of a coroutine grows for deep recursion
--FILE--
<?php
use function Async\{spawn, await, suspend};
function deep($n) { if ($n === 0) { suspend(); return 0; } return 1 + deep($n - 1); }
$a = spawn('deep', 20000);
$b = spawn('deep', 10000);
var_dump(await($a), await($b));
--EXPECT--
int(20000)
int(10000)
