--TEST--
cancel() ends running and queued tasks with the given cancellation
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup(concurrency: 1);
$group->spawn(function () {
    try { delay(10000); } catch (Cancellation $e) { echo "task: ", $e->getMessage(), "\n"; throw $e; }
});
$group->spawn(fn() => print("never\n"));
suspend();
$group->cancel($reason = new Async\AsyncCancellation("not needed"));
$group->awaitCompletion();
var_dump($group->isFinished(), array_map(fn($e) => $e === $reason, $group->getErrors()));
?>
--EXPECT--
task: not needed
bool(true)
array(2) {
  [0]=>
  bool(true)
  [1]=>
  bool(true)
}
