--TEST--
What a coroutine spawns belongs to its scope
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
echo "all\n";
?>
--EXPECT--
child
grandchild
all
