--TEST--
ST-02: a coroutine whose body is an internal function leaves the frames of other coroutines unchanged
--FILE--
<?php
use function Async\{spawn, await, suspend, delay};
function lines(): string {
    return implode(',', array_map(fn($frame) => ($frame['function'] ?? '') . ':' . ($frame['line'] ?? '-'), debug_backtrace(0)));
}
function outer(callable $step) { $step(); return lines(); }
$future = new Async\Future($state = new Async\FutureState);
echo outer(function () {
    foreach ([spawn('strtoupper', 'native'), spawn(strrev(...), 'evitan'), spawn('Async\delay', 1), spawn([new ArrayObject([1, 2]), 'count'])] as $coroutine) {
        echo json_encode(await($coroutine)), ' ';
    }
}), "\n";
echo outer(function () use ($future, $state) {
    $waiting = spawn([$future, 'await']);
    suspend();
    $state->complete('completed');
    echo await($waiting), ' ';
}), "\n";
foreach (['intdiv' => [1, 0], 'constant' => ['NOT_THERE'], 'Async\await' => [null]] as $name => $arguments) {
    try {
        await(spawn($name, ...$arguments));
    } catch (Throwable $e) {
        echo get_class($e), ' at line ', $e->getLine(), ' ', lines(), "\n";
    }
}
$suspended = spawn('Async\delay', 10000);
suspend();
$suspended->cancel();
try { await($suspended); } catch (Cancellation $e) { echo get_class($e), ' ', lines(), "\n"; }
echo __LINE__, "\n";
--EXPECT--
"NATIVE" "native" null 2 lines:6,outer:8
completed lines:6,outer:13
DivisionByZeroError at line 0 lines:23
Error at line 0 lines:23
TypeError at line 0 lines:23
Async\AsyncCancellation lines:29
30
