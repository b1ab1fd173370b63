--TEST--
loadavg() has three figures
--FILE--
<?php
[$one, $five, $fifteen] = Async\loadavg();
var_dump(is_float($one), is_float($five), $fifteen >= 0);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
