--TEST--
AW-03: an error stays on the handle; the scope hears of it when the handle goes unread
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->setExceptionHandler(function (Throwable $e) { echo "handler: ", $e->getMessage(), "\n"; });
$read = $scope->spawn(function () { throw new RuntimeException("read"); });
$unread = $scope->spawn(function () { throw new RuntimeException("unread"); });
$scope->awaitCompletion();
echo "nobody was told yet\n";
try { await($read); } catch (RuntimeException $e) { echo "await: ", $e->getMessage(), "\n"; }
unset($read, $e);
echo "now the other\n";
unset($unread);
?>
--EXPECT--
nobody was told yet
await: read
now the other
handler: unread
