--TEST--
A group is Awaitable and can be passed to the await functions
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$good = new TaskGroup;
$good->spawn(fn() => 1);
$bad = new TaskGroup;
$bad->spawn(fn() => throw new RuntimeException("x"));
[$results, $errors] = await_all(["good" => $good, "bad" => $bad]);
echo json_encode($results), " ", get_class($errors["bad"]), "\n";
?>
--EXPECT--
{"good":[1]} Async\CompositeException
