--TEST--
A coroutine that awaits a future only it could complete is collected and unwound
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, suspend};
spawn(function () {
    $state = new FutureState;
    $future = new Future($state);
    try { $future->await(); } finally { echo "unwound\n"; }
});
$state = new FutureState;
spawn(function () use ($state) { $v = (new Future($state))->await(); echo "kept: $v\n"; });
suspend();
gc_collect_cycles();
suspend();
echo "then\n";
$state->complete("value");
?>
--EXPECT--
unwound
then
kept: value
