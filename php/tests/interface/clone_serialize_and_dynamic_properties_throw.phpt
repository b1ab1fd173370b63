--TEST--
Objects cannot be cloned, serialized or given dynamic properties
--FILE--
<?php
$objects = [Async\spawn(fn() => 1), Async\timeout(1), new Async\Channel(), new Async\FutureState(), Async\Future::completed(1)->ignore(),
    new Async\Scope(), Async\current_context(), new Async\Pool(fn() => 1), new Async\TaskGroup(), new Async\TaskSet()];
foreach ($objects as $object) {
    $errors = 0;
    foreach ([fn() => clone $object, fn() => serialize($object), fn() => $object->nonsense = 1] as $misuse) {
        try {
            $misuse();
        } catch (Throwable) {
            $errors++;
        }
    }
    echo get_class($object), ": $errors\n";
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
