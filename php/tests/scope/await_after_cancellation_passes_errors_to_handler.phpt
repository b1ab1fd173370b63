--TEST--
SC-02: awaitAfterCancellation() passes errors and the scope to its handler and ignores errors without a handler
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
function failing(): Scope {
    $scope = new Scope();
    foreach ([1, 2] as $i) {
        $scope->spawn(function () use ($i) { try { delay(60000); } catch (AsyncCancellation) { delay($i); throw new RuntimeException("late $i"); } });
    }
    suspend();
    $scope->cancel();
    return $scope;
}
$scope = failing();
$scope->awaitAfterCancellation(function (Throwable $e, Scope $s) use ($scope) { echo $e->getMessage(), " "; var_dump($s === $scope); });
failing()->awaitAfterCancellation();
echo "ignored\n";
try {
    failing()->awaitAfterCancellation(function (Throwable $e) { throw new LogicException("instead of " . $e->getMessage()); });
} catch (LogicException $e) {
    echo $e->getMessage(), ", before: ", $e->getPrevious()->getMessage(), "\n";
}
$scope = failing();
try {
    $scope->awaitAfterCancellation(function () {}, timeout(1));
} catch (OperationCanceledException $e) { echo "token\n"; }
$scope->awaitAfterCancellation(function (Throwable $e) { echo $e->getMessage(), "\n"; });
?>
--EXPECT--
late 1 bool(true)
late 2 bool(true)
ignored
instead of late 2, before: instead of late 1
token
late 1
late 2
