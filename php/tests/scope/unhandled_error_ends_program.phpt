--TEST--
An error that nobody takes reaches the top and ends the program
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
spawn(function () { try { delay(60000); } finally { echo "others are cancelled\n"; } });
$scope = new Scope();
$scope->spawn(function () { throw new RuntimeException("nobody takes this"); });
delay(60000);
echo "never\n";
?>
--EXPECTF--
others are cancelled
%A
Fatal error: Uncaught RuntimeException: nobody takes this in %s
%A
