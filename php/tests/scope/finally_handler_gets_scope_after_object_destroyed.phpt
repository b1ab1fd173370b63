--TEST--
A finally handler gets a Scope also if the Scope object has been destroyed
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->finally(function ($s) { echo get_class($s), " "; var_dump($s->isClosed()); });
unset($scope);
suspend();
echo "end\n";
?>
--EXPECT--
Async\Scope bool(true)
end
