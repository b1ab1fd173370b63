--TEST--
A closed scope rejects coroutines and child scopes with an AsyncException
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
use function Async\spawn_with;
$cancelled = new Scope();
$cancelled->cancel();
$disposed = (new Scope())->allowZombies();
$disposed->dispose();
foreach ([$cancelled, $disposed] as $scope) {
    foreach ([fn() => $scope->spawn(fn() => 1), fn() => spawn_with($scope, fn() => 1), fn() => Scope::inherit($scope)] as $call) {
        try { $call(); } catch (AsyncException $e) { echo $e->getMessage(), "\n"; }
    }
}
?>
--EXPECT--
can't spawn in a scope that is closed: it was cancelled
can't spawn in a scope that is closed: it was cancelled
can't make a scope below one that is closed
can't spawn in a scope that is closed: it was disposed of
can't spawn in a scope that is closed: it was disposed of
can't make a scope below one that is closed
