--TEST--
joinNext() and joinAny() of an empty set throw
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet;
foreach (["joinNext", "joinAny"] as $join) {
    try { $set->$join(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
$set->spawn(fn() => 1);
$first = $set->joinNext();
$second = $set->joinNext();
$set->close();
var_dump($first->await());
try { $second->await(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Cannot race on an empty TaskGroup
Cannot call any() on an empty TaskGroup
int(1)
Cannot race on an empty TaskGroup
