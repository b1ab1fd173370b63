--TEST--
A cancelled timeout used as a token ends current and later waits with its cancellation as the cause
--DESCRIPTION--
not under: asan
--FILE--
<?php
use Async\{AsyncCancellation, Channel, Scope};
use function Async\{await, await_all, delay, spawn, timeout};
function report_end(callable $wait): void {
    try {
        $wait();
        echo "not ended\n";
    } catch (Async\OperationCanceledException $e) {
        echo get_class($e), ', ', get_class($e->getPrevious()), ': ', $e->getPrevious()->getMessage(), "\n";
    }
}
$timeout = timeout(10000);
spawn(fn() => $timeout->cancel(new AsyncCancellation('enough')));
report_end(fn() => await(spawn(fn() => delay(5)), $timeout));
report_end(fn() => await(spawn(fn() => delay(5)), $timeout));
report_end(fn() => (new Channel)->recv($timeout));
report_end(fn() => (new Channel)->send(1, $timeout));
report_end(fn() => await_all([spawn(fn() => delay(5))], $timeout));
report_end(function () use ($timeout) {
    $scope = new Scope;
    $scope->spawn(fn() => delay(5));
    $scope->awaitCompletion($timeout);
});
$own = timeout(10000);
$own->cancel();
[, $errors] = await_all(['own' => $own, 'given' => $timeout]);
foreach ($errors as $key => $error) echo "$key: ", get_class($error), ': ', $error->getMessage(), "\n";
?>
--EXPECT--
Async\OperationCanceledException, Async\AsyncCancellation: enough
Async\OperationCanceledException, Async\AsyncCancellation: enough
Async\OperationCanceledException, Async\AsyncCancellation: enough
Async\OperationCanceledException, Async\AsyncCancellation: enough
Async\OperationCanceledException, Async\AsyncCancellation: enough
Async\OperationCanceledException, Async\AsyncCancellation: enough
own: Async\AsyncCancellation: Timeout has been cancelled
given: Async\AsyncCancellation: enough
