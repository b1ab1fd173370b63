--TEST--
SC-14: zombies do not keep the program alive and do not count for deadlock detection
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->spawn(function () {
    try { delay(60000); echo "too long\n"; } catch (AsyncCancellation) { echo "cancelled at shutdown\n"; }
});
suspend();
$scope->disposeSafely();
echo "end of main\n";
?>
--EXPECT--
end of main
cancelled at shutdown
