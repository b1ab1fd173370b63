--TEST--
CA-03: a token ends the wait with OperationCanceledException; the awaited coroutine continues
--FILE--
<?php
use Async\{Future, FutureState, OperationCanceledException};
use function Async\{spawn, await, await_all, await_all_or_fail, await_any_or_fail, await_first_success, await_any_of, await_any_of_or_fail, timeout};
$state = new FutureState;
$future = new Future($state);
$c = spawn(fn() => await($future));
foreach ([fn($t) => await_all([$c], $t), fn($t) => await_all_or_fail([$c], $t), fn($t) => await_any_or_fail([$c], $t),
    fn($t) => await_first_success([$c], $t), fn($t) => await_any_of(1, [$c], $t), fn($t) => await_any_of_or_fail(1, [$c], $t)] as $f) {
    try { $f(timeout(1)); } catch (OperationCanceledException $e) { echo get_class($e->getPrevious()), "\n"; }
}
$state->complete("continued");
var_dump(await($c));
?>
--EXPECT--
Async\TimeoutException
Async\TimeoutException
Async\TimeoutException
Async\TimeoutException
Async\TimeoutException
Async\TimeoutException
string(9) "continued"
