--TEST--
returnAll returns the complete output unchanged
--FILE--
<?php
use function Async\{exec, await};
var_dump(await(exec("echo one; echo two", returnAll: true)));
[$big] = await(exec("head -c 300000 /dev/zero | tr \"\\0\" x", returnAll: true));
var_dump(strlen($big));
?>
--EXPECT--
array(2) {
  [0]=>
  string(8) "one
two
"
  [1]=>
  int(0)
}
int(300000)
