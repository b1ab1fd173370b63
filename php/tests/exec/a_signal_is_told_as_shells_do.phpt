--TEST--
A command that a signal ended has 128 and its number as code
--FILE--
<?php
use function Async\{exec, await};
var_dump(await(exec("kill -9 \$\$"))[1]);
?>
--EXPECT--
int(137)
