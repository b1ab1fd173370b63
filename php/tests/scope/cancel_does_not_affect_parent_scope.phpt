--TEST--
Cancelling goes down and never up
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$top = new Scope();
$middle = Scope::inherit($top);
$low = Scope::inherit($middle);
$c = $top->spawn(function () { delay(2); return "top lives"; });
$middle->cancel();
var_dump($top->isCancelled(), $middle->isCancelled(), $low->isCancelled(), await($c));
?>
--EXPECT--
bool(false)
bool(true)
bool(true)
string(9) "top lives"
