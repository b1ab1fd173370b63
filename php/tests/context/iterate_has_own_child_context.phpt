--TEST--
Inside iterate() current_context() is a child of the caller's context
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
current_context()->set('parent', 1);
iterate([1, 2], function ($v) {
    var_dump(current_context()->get('parent'));
    current_context()->set("v$v", $v);
});
var_dump(current_context()->has('v1'));
?>
--EXPECT--
int(1)
int(1)
bool(false)
