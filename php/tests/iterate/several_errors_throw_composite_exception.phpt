--TEST--
Several errors are thrown as one CompositeException
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
try {
    iterate([1, 2], function ($v) use (&$started) { try { ++$started; if ($v === 2) delay(60000); while ($started < 2) suspend(); throw new RuntimeException("one"); } catch (AsyncCancellation) { throw new LogicException("two"); } });
} catch (CompositeException $e) {
    foreach ($e->getExceptions() as $error) echo get_class($error), ": ", $error->getMessage(), "\n";
}
?>
--EXPECT--
RuntimeException: one
LogicException: two
