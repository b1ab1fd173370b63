--TEST--
A group in a cycle with its tasks, results and handlers is collected
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

class Node { public $group; public $more; function __destruct() { echo "collected\n"; } }
function cycle() {
    $node = new Node;
    $node->group = new TaskGroup(concurrency: 1);
    $node->group->spawn(fn() => $node);
    $node->group->finally(function () use ($node) {});
    $node->more = $node->group->all();
    $node->more->await();
}
cycle();
gc_collect_cycles();
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
collected
end
