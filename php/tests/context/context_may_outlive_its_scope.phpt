--TEST--
A context may outlive its scope, and still sees what is above
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('above', 1);
$scope = Scope::inherit();
$context = await($scope->spawn(fn() => current_context()->set('here', 2)));
$scope->dispose();
unset($scope);
var_dump($context->get('here'), $context->get('above'), $context->set('more', 3)->get('more'));
?>
--EXPECT--
int(2)
int(1)
int(3)
