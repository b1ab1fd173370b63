--TEST--
CX-02: the root context is the context of the main scope
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
var_dump(root_context() === current_context());
root_context()->set('a', 1);
await(spawn(function () { var_dump(root_context() === current_context(), current_context()->get('a')); }));
?>
--EXPECT--
bool(true)
bool(true)
int(1)
