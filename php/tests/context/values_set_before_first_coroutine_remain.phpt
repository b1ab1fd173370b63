--TEST--
CX-03: values set before the first coroutine starts remain set
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('app', 'x');
current_context()->set('early', 1);
await(spawn(function () { var_dump(current_context()->find('app'), current_context()->find('early')); }));
var_dump(current_context()->get('early'));
?>
--EXPECT--
string(1) "x"
int(1)
int(1)
