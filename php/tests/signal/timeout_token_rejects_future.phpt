--TEST--
A token that fires first rejects the future with the token's error
--FILE--
<?php
use Async\{Signal, TimeoutException};
use function Async\{signal, await, timeout};
try { await(signal(Signal::SIGUSR1, timeout(2))); } catch (TimeoutException $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
Async\TimeoutException
