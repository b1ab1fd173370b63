--TEST--
AW-03: an error stays with the handle; the scope handles it if the handle is released unobserved
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->setExceptionHandler(function (Throwable $e) { echo "handler: ", $e->getMessage(), "\n"; });
$read = $scope->spawn(function () { throw new RuntimeException("read"); });
$unread = $scope->spawn(function () { throw new RuntimeException("unread"); });
$scope->awaitCompletion();
echo "not reported yet\n";
try { await($read); } catch (RuntimeException $e) { echo "await: ", $e->getMessage(), "\n"; }
unset($read, $e);
echo "release the unread handle\n";
unset($unread);
?>
--EXPECT--
not reported yet
await: read
release the unread handle
handler: unread
