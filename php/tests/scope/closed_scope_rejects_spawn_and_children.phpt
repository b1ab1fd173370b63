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
spawn: the scope is closed, it was cancelled
spawn: the scope is closed, it was cancelled
Scope::inherit: the parent scope is closed
spawn: the scope is closed, it was disposed
spawn: the scope is closed, it was disposed
Scope::inherit: the parent scope is closed
