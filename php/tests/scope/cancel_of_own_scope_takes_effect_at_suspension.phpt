--TEST--
CA-07: a coroutine that cancels its own scope ends at its next suspension point
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$c = $scope->spawn(function () use ($scope) {
    $scope->cancel(new AsyncCancellation("own cancel"));
    echo "still running\n";
    try { suspend(); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; }
});
try { await($c); } catch (AsyncCancellation $e) { echo "await: ", $e->getMessage(), "\n"; }
?>
--EXPECT--
still running
own cancel
await: own cancel
