--TEST--
all() fails with a CompositeException of every error, in the order of spawning
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(function () { delay(2); throw new LogicException("first"); });
$group->spawn(fn() => "fine");
$group->spawn(fn() => throw new RuntimeException("second"));
try {
    $group->all()->await();
} catch (Async\CompositeException $e) {
    foreach ($e->getExceptions() as $one) echo get_class($one), ": ", $one->getMessage(), "\n";
}
unset($group);
echo "the errors were taken\n";
?>
--EXPECT--
LogicException: first
RuntimeException: second
the errors were taken
