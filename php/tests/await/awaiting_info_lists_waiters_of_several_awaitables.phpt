--TEST--
getAwaitingInfo() of a future lists coroutines that await several awaitables; of a coroutine, its awaitables
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, suspend, await_all, await_any_of, await_any_or_fail};
$future = new Future($state = new FutureState());
$other = new Future($second = new FutureState());
$all = spawn(fn() => await_all([$future, $other]));
spawn(fn() => await_any_or_fail([$future, $other]));
spawn(fn() => await_any_of(2, [$other, $future]));
spawn(fn() => $future->await());
suspend();
foreach ([$future, $state] as $awaitable) echo preg_replace('~#\d+~', '#n', implode("\n", $awaitable->getAwaitingInfo())), "\n\n";
print_r($all->getAwaitingInfo());
$state->complete(1);
suspend();
suspend();
print_r($all->getAwaitingInfo());
var_dump(count($future->getAwaitingInfo()), count($other->getAwaitingInfo()));
$second->complete(2);
--EXPECTF--
coroutine #n, spawned at %s.php:6, waits at %s.php:6
coroutine #n, spawned at %s.php:7, waits at %s.php:7
coroutine #n, spawned at %s.php:8, waits at %s.php:8
coroutine #n, spawned at %s.php:9, waits at %s.php:9

coroutine #n, spawned at %s.php:6, waits at %s.php:6
coroutine #n, spawned at %s.php:7, waits at %s.php:7
coroutine #n, spawned at %s.php:8, waits at %s.php:8
coroutine #n, spawned at %s.php:9, waits at %s.php:9

Array
(
    [0] => 2 of 2 awaited: %s
)
Array
(
    [0] => 1 of 2 awaited: %s
)
int(0)
int(2)
