--TEST--
Several errors come as one CompositeException
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
try {
    iterate([1, 2], function ($v) use (&$begun) { try { ++$begun; if ($v === 2) delay(60000); while ($begun < 2) suspend(); throw new RuntimeException("one"); } catch (AsyncCancellation) { throw new LogicException("two"); } });
} catch (CompositeException $e) {
    foreach ($e->getExceptions() as $one) echo get_class($one), ": ", $one->getMessage(), "\n";
}
?>
--EXPECT--
RuntimeException: one
LogicException: two
