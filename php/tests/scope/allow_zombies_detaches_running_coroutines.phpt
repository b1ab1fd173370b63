--TEST--
SC-03: after allowZombies() the disposal of a scope detaches running coroutines; child scopes inherit the mode
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = (new Scope())->allowZombies();
$child = Scope::inherit($scope);
$a = $scope->spawn(function () { delay(2); return "a"; });
$b = $child->spawn(function () { delay(3); return "b"; });
suspend();
unset($scope);
$child->dispose();
var_dump($child->isCancelled(), $child->isFinished(), await($a), await($b));
?>
--EXPECT--
bool(false)
bool(true)
string(1) "a"
string(1) "b"
