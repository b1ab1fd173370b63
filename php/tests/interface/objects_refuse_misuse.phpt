--TEST--
An object can not be cloned, serialized, or given other properties
--FILE--
<?php
$things = [Async\spawn(fn() => 1), Async\timeout(1), new Async\Channel(), new Async\FutureState(), Async\Future::completed(1)->ignore(),
    new Async\Scope(), Async\current_context(), new Async\Pool(fn() => 1), new Async\TaskGroup(), new Async\TaskSet()];
foreach ($things as $thing) {
    $refused = 0;
    foreach ([fn() => clone $thing, fn() => serialize($thing), fn() => $thing->nonsense = 1] as $misuse) {
        try {
            $misuse();
        } catch (Throwable) {
            $refused++;
        }
    }
    echo get_class($thing), ": $refused\n";
}
?>
--EXPECT--
Async\Coroutine: 3
Async\Timeout: 3
Async\Channel: 3
Async\FutureState: 3
Async\Future: 3
Async\Scope: 3
Async\Context: 3
Async\Pool: 3
Async\TaskGroup: 3
Async\TaskSet: 3
