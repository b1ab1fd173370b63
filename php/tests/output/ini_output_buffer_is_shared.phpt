--TEST--
With output_buffering all coroutines write to one shared buffer
--INI--
output_buffering=4096
--FILE--
<?php
use function Async\{spawn, suspend, await};
echo "1 ";
$a = spawn(function () { echo "2 "; suspend(); ob_start(); echo "x"; $x = ob_get_clean(); echo "4 "; return ob_get_level() . $x; });
suspend();
echo "3 ";
$r = await($a);
var_dump($r, ob_get_level(), ob_get_contents());
--EXPECT--
1 2 3 4 string(2) "1x"
int(1)
string(8) "1 2 3 4 "
