--TEST--
foreach yields [result, error] by key in completion order, and can be repeated
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawnWithKey("slow", function () { delay(5); return 1; });
$group->spawnWithKey("bad", fn() => throw new RuntimeException("failed"));
$group->spawnWithKey("fast", fn() => 2);
$group->close();
foreach ([1, 2] as $round) {
    foreach ($group as $key => [$result, $error]) echo "$key: ", $error ? $error->getMessage() : $result, "\n";
}
$iterator = $group->getIterator();
var_dump($iterator instanceof Iterator, count(iterator_to_array($iterator)));
?>
--EXPECT--
bad: failed
fast: 2
slow: 1
bad: failed
fast: 2
slow: 1
bool(true)
int(3)
