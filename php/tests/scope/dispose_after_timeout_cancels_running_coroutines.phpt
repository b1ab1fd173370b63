--TEST--
SC-04: disposeAfterTimeout() cancels the coroutines that still run after the timeout
--DESCRIPTION--
not under: asan
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->spawn(function () { echo "short\n"; });
$scope->spawn(function () { try { delay(60000); } catch (AsyncCancellation) { echo "cancelled\n"; } });
suspend();
$scope->disposeAfterTimeout(1);
$scope->awaitCompletion();
var_dump($scope->isClosed(), $scope->isCancelled());
foreach ([0, -1] as $bad) {
    try { $scope->disposeAfterTimeout($bad); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
}
$unused = new Scope();
$unused->disposeAfterTimeout(60000);
unset($unused);
?>
--EXPECT--
short
cancelled
bool(true)
bool(true)
Async\Scope::disposeAfterTimeout(): Argument #1 ($timeout) must be greater than 0
Async\Scope::disposeAfterTimeout(): Argument #1 ($timeout) must be greater than 0
