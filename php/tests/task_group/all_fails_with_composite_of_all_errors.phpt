--TEST--
all() fails with a CompositeException of all errors, in spawn order
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
    foreach ($e->getExceptions() as $error) echo get_class($error), ": ", $error->getMessage(), "\n";
}
unset($group);
echo "the errors were observed\n";
?>
--EXPECT--
LogicException: first
RuntimeException: second
the errors were observed
