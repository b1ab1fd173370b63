--TEST--
A coroutine that has not started when the scope is cancelled never runs
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$c = $scope->spawn(function () { echo "never\n"; });
$scope->cancel();
$scope->awaitAfterCancellation();
var_dump($c->isCompleted(), $c->isCancelled(), $c->isStarted());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
