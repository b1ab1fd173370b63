--TEST--
A fatal error in the iterable while coroutines wait ends the program with an orderly shutdown
--FILE--
<?php
use Async\{Channel, Future, FutureState};
use function Async\{spawn, suspend, await_all};
$state = new FutureState;
$future = new Future($state);
$ch = new Channel;
spawn(fn() => await_all([$future, new Future(new FutureState)]));
spawn(fn() => $ch->recv());
spawn(fn() => $future->map(fn($x) => $x)->await());
register_shutdown_function(function () use ($ch) {
    echo "shutdown\n";
    try { $ch->recv(); } catch (Async\AsyncException $e) { echo get_class($e), "\n"; }
});
suspend();
function broken($future) { yield $future; eval("class A {} class A {}"); }
await_all(broken($future));
?>
--EXPECTF--
%AFatal error: Cannot %Sdeclare class A%S in %s
shutdown
Async\AsyncException
