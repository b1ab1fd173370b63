--TEST--
Tasks run in a child of the given scope and end with it
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$scope = new Async\Scope;
$group = new TaskGroup(scope: $scope);
$group->spawn(fn() => delay(10000));
suspend();
$scope->cancel();
$group->awaitCompletion();
var_dump($group->isClosed(), get_class($group->getErrors()[0]));
?>
--EXPECT--
bool(true)
string(23) "Async\AsyncCancellation"
