--TEST--
SC-12: a join that nobody wants any more takes nothing
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawn(function () { delay(10); return "kept"; });
try { $set->joinNext()->await(timeout(1)); } catch (Async\OperationCanceledException $e) { echo "too late\n"; }
$future = $set->joinNext();
$future->cancel();
$future->ignore();
delay(15);
var_dump(count($set), $set->joinNext()->await());
?>
--EXPECT--
too late
int(1)
string(4) "kept"
