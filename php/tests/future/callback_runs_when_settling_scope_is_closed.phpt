--TEST--
A chain continues if the scope that settles the future is closed
--FILE--
<?php
use Async\{Future, FutureState, Scope};
use function Async\{await, suspend};
$state = new FutureState;
$next = (new Future($state))->map(fn($x) => $x + 1);
$scope = new Scope;
$scope->spawn(function () use ($state) {
    try { Async\delay(1000); } finally { $state->complete(41); }
});
suspend();
$scope->cancel();
var_dump(await($next));
?>
--EXPECT--
int(42)
