--TEST--
SC-03: after allowZombies the end of a scope lets go of what runs; scopes below inherit that
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = (new Scope())->allowZombies();
$below = Scope::inherit($scope);
$a = $scope->spawn(function () { delay(2); return "a"; });
$b = $below->spawn(function () { delay(3); return "b"; });
suspend();
unset($scope);
$below->dispose();
var_dump($below->isCancelled(), $below->isFinished(), await($a), await($b));
?>
--EXPECT--
bool(false)
bool(true)
string(1) "a"
string(1) "b"
