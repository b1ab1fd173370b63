--TEST--
SHU-01: graceful_shutdown() cancels all coroutines with the given cancellation
--FILE--
<?php
use function Async\{spawn, suspend, delay, graceful_shutdown};
spawn(function () { try { delay(1000); } catch (Cancellation $e) { echo "one: ", $e->getMessage(), "\n"; } });
spawn(function () { try { delay(1000); } catch (Cancellation $e) { delay(1); echo "two: ", $e->getMessage(), "\n"; } });
suspend();
graceful_shutdown(new Async\AsyncCancellation("closing"));
try { delay(1000); } catch (Cancellation $e) { echo "main: ", $e->getMessage(), "\n"; }
--EXPECT--
main: closing
one: closing
two: closing
