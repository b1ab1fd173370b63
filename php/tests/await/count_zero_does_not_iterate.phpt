--TEST--
A count of 0 returns an empty result without iterating; a negative count throws
--FILE--
<?php
use function Async\{await_any_of, await_any_of_or_fail};
$never = (function () { echo "never\n"; yield 1; })();
var_dump(await_any_of_or_fail(0, $never), await_any_of(0, $never));
try { await_any_of(-1, []); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
try { await_any_of_or_fail(-1, []); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
array(0) {
}
array(2) {
  [0]=>
  array(0) {
  }
  [1]=>
  array(0) {
  }
}
Async\await_any_of(): Argument #1 ($count) must be greater than or equal to 0
Async\await_any_of_or_fail(): Argument #1 ($count) must be greater than or equal to 0
