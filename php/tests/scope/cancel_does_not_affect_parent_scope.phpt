--TEST--
cancel() affects child scopes but not the parent scope
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$top = new Scope();
$middle = Scope::inherit($top);
$low = Scope::inherit($middle);
$c = $top->spawn(function () { delay(2); return "completed"; });
$middle->cancel();
var_dump($top->isCancelled(), $middle->isCancelled(), $low->isCancelled(), await($c));
?>
--EXPECT--
bool(false)
bool(true)
bool(true)
string(9) "completed"
