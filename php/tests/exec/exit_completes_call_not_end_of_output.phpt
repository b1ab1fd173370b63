--TEST--
PR-01: the call completes when the process exits, not at the end of its output
--FILE--
<?php
use function Async\{exec, await};
var_dump(await(exec("echo early; exec >&- 2>&-; sleep 0.05; exit 4")));
?>
--EXPECT--
array(2) {
  [0]=>
  string(5) "early"
  [1]=>
  int(4)
}
