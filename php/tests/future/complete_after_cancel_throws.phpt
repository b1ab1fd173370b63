--TEST--
complete() on a cancelled future throws
--FILE--
<?php
use Async\{Future, FutureState};
$state = new FutureState();
$future = new Future($state);
$future->cancel();
try { $state->complete(1); } catch (Async\AsyncException $e) { echo substr($e->getMessage(), 0, 32), "\n"; }
?>
--EXPECT--
FutureState is already completed
