--TEST--
PR-05: exec() returns the last line without trailing white space, and the exit code
--FILE--
<?php
use function Async\{exec, await};
var_dump(await(exec("printf %s \"one\ntwo  \"")), await(exec("echo a; echo; exit 3")), await(exec("true")));
?>
--EXPECT--
array(2) {
  [0]=>
  string(3) "two"
  [1]=>
  int(0)
}
array(2) {
  [0]=>
  string(0) ""
  [1]=>
  int(3)
}
array(2) {
  [0]=>
  string(0) ""
  [1]=>
  int(0)
}
