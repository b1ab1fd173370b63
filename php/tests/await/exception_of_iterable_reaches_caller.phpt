--TEST--
AW-13: an exception of the iterable reaches the caller and leaves no subscription
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, await_all, suspend};
$state = new FutureState;
$future = new Future($state);
function broken($f) { yield $f; throw new LogicException("broken"); }
try { await_all(broken($future)); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
try { await_all([$future, 42]); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
$state->complete(1);
var_dump($future->await());
?>
--EXPECT--
broken
Each awaited element must be of type Async\Awaitable, int given
int(1)
