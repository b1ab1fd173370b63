--TEST--
disposeSafely() detaches coroutines: they are not active, but awaitAfterCancellation() waits for them
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->spawn(function () { delay(5); echo "zombie done\n"; });
suspend();
$scope->disposeSafely();
var_dump($scope->isClosed(), $scope->isCancelled(), $scope->isFinished());
$scope->awaitCompletion();
echo "not waited for\n";
$scope->awaitAfterCancellation();
echo "waited for\n";
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
not waited for
zombie done
waited for
