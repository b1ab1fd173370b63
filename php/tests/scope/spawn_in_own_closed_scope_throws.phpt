--TEST--
spawn() in a coroutine whose scope is closed throws; the previous exception has the details
--FILE--
<?php
use Async\{AsyncCancellation, AsyncException, Scope, TaskGroup};
use function Async\{await, spawn, suspend};

$scope = new Scope();
$coroutine = $scope->spawn(function () use (&$group) {
    $group = new TaskGroup;
    try {
        suspend();
    } catch (AsyncCancellation) {
        foreach ([fn() => spawn(fn() => 1), fn() => Scope::inherit(), fn() => $group->spawn(fn() => 1)] as $call) {
            try {
                $call();
            } catch (AsyncException $e) {
                echo $e->getMessage(), $e->getPrevious() ? ' (with details)' : '', "\n";
            }
        }
    }
});
suspend();
$scope->cancel();
await($coroutine);
?>
--EXPECT--
Cannot spawn a coroutine in a closed scope (with details)
Cannot create a child scope of a closed scope
Cannot spawn tasks on a closed TaskGroup
