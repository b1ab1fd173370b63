--TEST--
The message of a CompositeException lists the class and message of each error
--FILE--
<?php
use function Async\await;
$group = new Async\TaskGroup;
$group->spawn(fn() => throw new LogicException('first'));
try { await($group->any()); } catch (Async\CompositeException $e) { echo $e->getMessage(), "\n"; }
$group->spawn(fn() => throw new TypeError('second'));
try { await($group->all()); } catch (Async\CompositeException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
1 error; LogicException: first
2 errors; LogicException: first; TypeError: second
