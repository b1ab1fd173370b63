--TEST--
AW-13: an exception of the source stops the iteration and is thrown
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
function broken() { yield 1; yield 2; throw new RuntimeException("source"); }
try { iterate(broken(), function ($v) { echo $v, "\n"; delay(1); }); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
class NoIterator implements IteratorAggregate { function getIterator(): Iterator { throw new LogicException("no iterator"); } }
try { iterate(new NoIterator, fn() => 1); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
class BadKey extends ArrayIterator { function key(): string|int|null { throw new LogicException("no key"); } }
try { iterate(new BadKey([1]), fn() => 1); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
1
2
source
no iterator
no key
