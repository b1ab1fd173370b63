--TEST--
catch() and finally() are called for a cancellation
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\await;
$future = new Future(new FutureState());
$a = $future->map(fn() => 1)->catch(fn($e) => get_class($e));
$b = $future->finally(function ($e) { echo get_class($e), "\n"; });
$future->cancel();
var_dump(await($a));
try { await($b); } catch (Cancellation $e) { echo "passed\n"; }
?>
--EXPECT--
Async\AsyncCancellation
string(23) "Async\AsyncCancellation"
passed
