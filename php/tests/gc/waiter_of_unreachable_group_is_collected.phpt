--TEST--
GC-01: a coroutine that waits for a group or set is garbage if only it could spawn the tasks
--FILE--
<?php
use Async\{Scope, TaskGroup, TaskSet};
use function Async\{spawn, suspend};
function wait(string $name, Closure $wait) {
    spawn(function () use ($name, $wait) {
        try {
            $wait();
            echo "$name: done\n";
        } catch (Throwable $e) {
            echo "$name: ", get_class($e), "\n";
        }
    });
    for ($i = 0; $i < 4; $i++) suspend();
    gc_collect_cycles();
    for ($i = 0; $i < 4; $i++) suspend();
}
foreach ([TaskGroup::class, TaskSet::class] as $class) {
    echo "$class\n";
    wait("nothing spawned", function () use ($class) { $group = new $class; foreach ($group as $result); });
    wait("only the loop references it", function () use ($class) { foreach (new $class as $result); });
    wait("all tasks finished", function () use ($class) {
        $group = new $class;
        $group->spawn(fn() => 1);
        foreach ($group as $result) echo "result\n";
    });
    $kept = new $class;
    wait("other code references it", function () use ($kept) { foreach ($kept as $result); });
    $kept->close();
    for ($i = 0; $i < 4; $i++) suspend();
    $scope = new Scope;
    wait("other code references its scope", function () use ($class, $scope) { foreach (new $class(scope: $scope) as $result); });
    $scope->cancel();
    for ($i = 0; $i < 4; $i++) suspend();
}
echo "a join that no task can complete\n";
wait("joinNext", function () {
    $set = new TaskSet;
    $set->spawn(fn() => 1);
    $first = $set->joinNext();
    $second = $set->joinNext();
    echo $first->await(), "\n";
    $second->await();
});
?>
--EXPECT--
Async\TaskGroup
nothing spawned: Async\AsyncCancellation
only the loop references it: Async\AsyncCancellation
result
all tasks finished: Async\AsyncCancellation
other code references it: done
other code references its scope: done
Async\TaskSet
nothing spawned: Async\AsyncCancellation
only the loop references it: Async\AsyncCancellation
result
all tasks finished: Async\AsyncCancellation
other code references it: done
other code references its scope: done
a join that no task can complete
1
joinNext: Async\AsyncCancellation
