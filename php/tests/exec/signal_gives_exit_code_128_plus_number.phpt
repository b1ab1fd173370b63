--TEST--
A command ended by a signal has the exit code 128 + signal number
--FILE--
<?php
use function Async\{exec, await};
var_dump(await(exec("kill -9 \$\$"))[1]);
?>
--EXPECT--
int(137)
