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
Cannot spawn a coroutine in a closed scope
Cannot spawn a coroutine in a closed scope
Cannot create a child scope of a closed scope
Cannot spawn a coroutine in a closed scope
Cannot spawn a coroutine in a closed scope
Cannot create a child scope of a closed scope
