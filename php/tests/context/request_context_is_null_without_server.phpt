--TEST--
request_context() is null if no server has set a request scope
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
var_dump(request_context());
await(spawn(function () { var_dump(request_context()?->get('request_id')); }));
?>
--EXPECT--
NULL
NULL
