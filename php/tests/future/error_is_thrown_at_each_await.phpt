--TEST--
A failed future throws the same exception at each await
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, await};
$state = new FutureState();
$future = new Future($state);
spawn(fn() => $state->error(new LogicException("no")));
$seen = [];
foreach ([1, 2] as $_) {
    try { $future->await(); } catch (LogicException $e) { $seen[] = $e; echo $e->getMessage(), "\n"; }
}
var_dump($seen[0] === $seen[1], $future->isCompleted(), $future->isCancelled());
?>
--EXPECT--
no
no
bool(true)
bool(true)
bool(false)
