--TEST--
AW-01: iteration stops when the goal is met
--FILE--
<?php
use Async\Future;
use function Async\{await_any_or_fail, await_all_or_fail};
function endless() { for ($i = 0;; ++$i) { echo "created $i\n"; yield Future::completed($i); } }
var_dump(await_any_or_fail(endless()));
function failing() { yield Future::completed(1); yield Future::failed(new Exception("stop")); echo "never\n"; yield 1; }
try { await_all_or_fail(failing()); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
unset($e);
gc_collect_cycles();  // the trace of the exception keeps the generator alive
?>
--EXPECT--
created 0
int(0)
stop
