--TEST--
complete() delivers the value to every awaiter
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, await};
$state = new FutureState();
$future = new Future($state);
var_dump($state->isCompleted(), $future->isCompleted());
$a = spawn(fn() => $future->await() + 1);
$b = spawn(fn() => await($future) + 2);
spawn(fn() => $state->complete(40));
var_dump(await($a), await($b), $future->await());
var_dump($state->isCompleted(), $future->isCompleted(), $future->isCancelled());
?>
--EXPECT--
bool(false)
bool(false)
int(41)
int(42)
int(40)
bool(true)
bool(true)
bool(false)
