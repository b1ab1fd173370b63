--TEST--
CX-05: a scope without a parent does not see the context of the main scope
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('main', 1);
$scope = new Scope();
await($scope->spawn(function () {
    var_dump(current_context()->find('main'), current_context()->has('main'), root_context()->get('main'));
    current_context()->set('mine', 2);
}));
var_dump(current_context()->find('mine'));
?>
--EXPECT--
NULL
bool(false)
int(1)
NULL
