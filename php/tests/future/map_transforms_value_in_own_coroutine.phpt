--TEST--
map() returns a future of the callback's result; the callback runs in its own coroutine
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{await, delay, current_coroutine};
$state = new FutureState();
$future = new Future($state);
$main = current_coroutine();
$result = $future->map(function ($x) use ($main) {
    var_dump(current_coroutine() !== $main);
    delay(1);
    return $x * 2;
})->map(fn($x) => "got $x");
$state->complete(21);
var_dump(await($result));
?>
--EXPECT--
bool(true)
string(6) "got 42"
