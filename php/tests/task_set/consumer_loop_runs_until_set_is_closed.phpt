--TEST--
A consumer loop gets the results of a producer until the set is closed
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

$set = new TaskSet(concurrency: 2);
$producer = spawn(function () use ($set) {
    for ($i = 0; $i < 6; $i++) $set->spawn(function () use ($i) { suspend(); return $i; });
    $set->close();
});
$sum = 0;
foreach ($set as [$result]) $sum += $result;
var_dump($sum, $set->isFinished(), $set->isClosed());
?>
--EXPECT--
int(15)
bool(true)
bool(true)
