--TEST--
cancel() throws the cancellation in awaiters, and isCancelled() is true
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Future, FutureState, AsyncCancellation};
use function Async\{spawn, await};
$future = new Future(new FutureState());
$c = spawn(function () use ($future) {
    try { $future->await(); } catch (AsyncCancellation $e) { return $e->getMessage(); }
});
spawn(fn() => $future->cancel(new AsyncCancellation("not needed")));
var_dump(await($c), $future->isCancelled(), $future->isCompleted());
$plain = new Future(new FutureState());
$plain->cancel();
$plain->cancel();
try { $plain->await(); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$done = Future::completed(1);
$done->cancel();
var_dump($done->isCancelled(), $done->await());
?>
--EXPECT--
string(10) "not needed"
bool(true)
bool(true)
Future has been cancelled
bool(false)
int(1)
