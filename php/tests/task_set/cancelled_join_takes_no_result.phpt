--TEST--
SC-12: a cancelled or timed-out join takes no result
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawn(function () { delay(10); return "kept"; });
try { $set->joinNext()->await(timeout(1)); } catch (Async\OperationCanceledException $e) { echo "timed out\n"; }
$future = $set->joinNext();
$future->cancel();
$future->ignore();
delay(15);
var_dump(count($set), $set->joinNext()->await());
?>
--EXPECT--
timed out
int(1)
string(4) "kept"
