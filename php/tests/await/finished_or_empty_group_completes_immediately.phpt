--TEST--
A finished or empty group or set completes immediately and acts as a fired token
--FILE--
<?php
use Async\{OperationCanceledException, Scope, TaskGroup, TaskSet};
use function Async\{await_all, delay, suspend, timeout};
foreach ([TaskGroup::class, TaskSet::class] as $class) {
    $done = new $class;
    $done->spawn(fn() => 5);
    suspend();
    suspend();
    $busy = new $class;
    $busy->spawn(fn() => delay(1));
    [$results, $errors] = await_all(['done' => $done, 'empty' => new $class, 'busy' => $busy], timeout(2000));
    echo $class, ' ', json_encode($results), ' ', count($errors), "\n";
}
$scope = new Scope;
$scope->spawn(fn() => delay(30));
try { $scope->awaitCompletion($done); } catch (OperationCanceledException $e) { echo get_class($e), "\n"; }
$scope->cancel();
?>
--EXPECT--
Async\TaskGroup {"done":[5],"empty":[],"busy":[null]} 0
Async\TaskSet {"done":[5],"empty":[],"busy":[null]} 0
Async\OperationCanceledException
