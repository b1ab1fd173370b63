--TEST--
A failed future with an unobserved error emits a warning unless ignored
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{await, suspend};
$state = new FutureState();
$future = new Future($state);
$state->error(new LogicException("unobserved"));
unset($state, $future);
$state = new FutureState();
$state->error(new LogicException("ignored"));
$state->ignore();
unset($state);
Future::failed(new LogicException("ignored too"))->ignore();
$observed = Future::failed(new LogicException("observed"));
try { $observed->await(); } catch (LogicException) {}
unset($observed);
$link = Future::completed(1)->map(fn() => throw new LogicException("in a link"));
$link->finally(fn() => 1)->ignore();
unset($link);
suspend(); suspend(); suspend();
echo "end\n";
?>
--EXPECTF--

Warning: Unhandled exception in Future: unobserved; use catch() or ignore() to handle. Created at %s:%d in %s on line 7
end
