--TEST--
foreach gives [result, error] by key as the tasks end, and again from the beginning
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawnWithKey("slow", function () { delay(5); return 1; });
$group->spawnWithKey("bad", fn() => throw new RuntimeException("oh"));
$group->spawnWithKey("fast", fn() => 2);
$group->close();
foreach ([1, 2] as $round) {
    foreach ($group as $key => [$result, $error]) echo "$key: ", $error ? $error->getMessage() : $result, "\n";
}
$iterator = $group->getIterator();
var_dump($iterator instanceof Iterator, count(iterator_to_array($iterator)));
?>
--EXPECT--
bad: oh
fast: 2
slow: 1
bad: oh
fast: 2
slow: 1
bool(true)
int(3)
