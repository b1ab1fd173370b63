--TEST--
PR-07: commands run concurrently, each with its own exit code
--FILE--
<?php
use function Async\{exec, await_all_or_fail};
$all = [];
for ($i = 0; $i < 8; ++$i) $all[] = exec("sleep 0.1; exit $i");
$begin = hrtime(true);
echo implode(",", array_column(await_all_or_fail($all), 1)), "\n";
var_dump(hrtime(true) - $begin < 700e6);
?>
--EXPECT--
0,1,2,3,4,5,6,7
bool(true)
