--TEST--
SC-01: awaitCompletion() returns when the last coroutine has finished, not at the timeout
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
foreach ([3, 1, 2] as $n) $scope->spawn(function () use ($n) { for ($i = 0; $i < $n; $i++) suspend(); echo $n, "\n"; });
$scope->awaitCompletion(timeout(60000));
var_dump($scope->isFinished());
$scope->awaitCompletion();
echo "already finished\n";
?>
--EXPECT--
1
2
3
bool(true)
already finished
