--TEST--
foreach removes the results it yields: a second loop is empty
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet(concurrency: 2);
foreach ([3, 1, 2] as $n) $set->spawnWithKey("k$n", function () use ($n) { delay($n * 4); return $n; });
$set->close();
foreach ($set as $key => [$result, $error]) echo "$key $result ", count($set), "\n";
foreach ($set as $result) echo "never\n";
?>
--EXPECT--
k1 1 2
k3 3 1
k2 2 0
