--TEST--
joinAny() takes the first success; the errors stay in the set
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
$set->spawn(fn() => throw new RuntimeException("fail 1"));
$set->spawn(fn() => throw new RuntimeException("fail 2"));
$set->spawn(fn() => "success");
var_dump($set->joinAny()->await(), count($set));
try { $set->joinAny()->await(); } catch (Async\CompositeException $e) { var_dump(count($e->getExceptions()), count($set)); }
?>
--EXPECT--
string(7) "success"
int(2)
int(2)
int(0)
