--TEST--
A coroutine spawned by a coroutine of a scope belongs to the same scope
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->spawn(function () {
    spawn(function () { delay(5); echo "grandchild\n"; });
    echo "child\n";
});
$scope->awaitCompletion(timeout(1000));
echo "scope finished\n";
?>
--EXPECT--
child
grandchild
scope finished
