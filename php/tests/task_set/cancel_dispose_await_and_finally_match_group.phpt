--TEST--
cancel(), dispose(), awaitCompletion() and finally() work as in a group
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

foreach (["cancel", "dispose"] as $end) {
    $set = new TaskSet;
    $set->finally(fn(TaskSet $s) => print("finished " . count($s) . "\n"));
    $set->spawn(fn() => delay(10000));
    suspend();
    $set->$end();
    $set->awaitCompletion();
    suspend();
    try { $set->joinNext()->await(); } catch (Cancellation $e) { echo $e->getMessage(), "\n"; }
    var_dump(count($set));
}
?>
--EXPECT--
finished 1
TaskGroup cancelled
int(0)
finished 1
TaskGroup cancelled
int(0)
