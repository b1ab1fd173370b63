--TEST--
A context cannot be constructed, cloned, serialized or given properties
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
foreach ([fn() => new Context, fn() => clone current_context(), fn() => serialize(current_context()), fn() => current_context()->x = 1] as $call) {
    try { $call(); echo "no error\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
?>
--EXPECT--
Error: Cannot directly construct Async\Context, use the functions and methods of Async
Error: Trying to clone an uncloneable object of class Async\Context
Exception: Serialization of 'Async\Context' is not allowed
Error: Cannot create dynamic property Async\Context::$x
