--TEST--
getAwaitingInfo() returns one line per waiting coroutine
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, suspend};
$state = new FutureState();
$future = new Future($state);
var_dump($future->getAwaitingInfo());
for ($i = 0; $i < 2; ++$i) spawn(fn() => $future->await());
suspend();
foreach ([$future, $state] as $object) foreach ($object->getAwaitingInfo() as $line) echo $line, "\n";
$state->complete(1);
suspend();
var_dump(count($future->getAwaitingInfo()));
?>
--EXPECTF--
array(0) {
}
coroutine #%d, spawned at %s.php:7, waits at %s.php:7
coroutine #%d, spawned at %s.php:7, waits at %s.php:7
coroutine #%d, spawned at %s.php:7, waits at %s.php:7
coroutine #%d, spawned at %s.php:7, waits at %s.php:7
int(0)
