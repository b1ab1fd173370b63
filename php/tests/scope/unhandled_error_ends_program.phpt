--TEST--
An unhandled error propagates to the root scope and ends the program
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
spawn(function () { try { delay(60000); } finally { echo "other coroutine cancelled\n"; } });
$scope = new Scope();
$scope->spawn(function () { throw new RuntimeException("unhandled"); });
delay(60000);
echo "never\n";
?>
--EXPECTF--
other coroutine cancelled
%A
Fatal error: Uncaught RuntimeException: unhandled in %s
%A
