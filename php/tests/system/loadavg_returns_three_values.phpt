--TEST--
loadavg() returns three values
--FILE--
<?php
[$one, $five, $fifteen] = Async\loadavg();
var_dump(is_float($one), is_float($five), $fifteen >= 0);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
