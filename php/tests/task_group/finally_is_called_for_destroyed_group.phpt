--TEST--
finally() handlers are called for a group that is destroyed while tasks run
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

function work() {
    $group = new TaskGroup;
    $group->finally(function ($g) { var_dump($g->isFinished(), array_map('get_class', $g->getErrors())); });
    $group->spawn(fn() => delay(10000));
    suspend();
}
work();
delay(1);
echo "end\n";
?>
--EXPECT--
bool(true)
array(1) {
  [0]=>
  string(23) "Async\AsyncCancellation"
}
end
