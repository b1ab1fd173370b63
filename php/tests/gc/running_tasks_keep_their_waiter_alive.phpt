--TEST--
GC-01: a coroutine that waits for tasks of its own group is not garbage while a task runs
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Channel, TaskGroup, TaskSet};
use function Async\{spawn, suspend, await, await_all};
$go = new Channel;
$task = function () use ($go) { $go->recv(); return "result"; };
$waiting = [
    "all" => function () use ($task) { $group = new TaskGroup; $group->spawn($task); return $group->all()->await()[0]; },
    "race" => function () use ($task) { $group = new TaskGroup; $group->spawn($task); return $group->race()->await(); },
    "chained" => function () use ($task) { $group = new TaskGroup; $group->spawn($task); return $group->any()->map(fn($v) => $v)->await(); },
    "joinAll" => function () use ($task) { $set = new TaskSet; $set->spawn($task); return $set->joinAll()->await()[0]; },
    "loop" => function () use ($task) { $group = new TaskGroup; $group->spawn($task); foreach ($group as [$result]) return $result; },
    "completion" => function () use ($task) { $group = new TaskGroup; $group->spawn($task); $group->close(); $group->awaitCompletion(); return "completed"; },
];
$waiting = array_map(fn($wait) => spawn($wait), $waiting);
for ($i = 0; $i < 5; $i++) suspend();
gc_collect_cycles();
for ($i = 0; $i < 5; $i++) suspend();
foreach ($waiting as $_) $go->send(null);
foreach (await_all($waiting)[0] as $name => $result) echo "$name: $result\n";
?>
--EXPECT--
all: result
race: result
chained: result
joinAll: result
loop: result
completion: completed
