--TEST--
A group's future that only a chain references is completed
--FILE--
<?php
use Async\{TaskGroup, TaskSet};
use function Async\suspend;
$group = new TaskGroup;
$group->spawn(function () { suspend(); return 1; });
$mapped = $group->all()->map(fn($results) => array_sum($results) + 1);
$group->race()->map(fn($result) => print("raced: $result\n"))->ignore();
echo $mapped->await(), "\n";
$set = new TaskSet;
$set->spawn(function () { suspend(); throw new Exception("fails"); });
echo $set->joinNext()->catch(fn($e) => $e->getMessage())->await(), "\n";
?>
--EXPECT--
raced: 1
2
fails
