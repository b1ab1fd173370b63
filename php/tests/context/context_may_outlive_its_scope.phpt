--TEST--
A context that outlives its scope still sees the values of parent scopes
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('parent', 1);
$scope = Scope::inherit();
$context = await($scope->spawn(fn() => current_context()->set('local', 2)));
$scope->dispose();
unset($scope);
var_dump($context->get('local'), $context->get('parent'), $context->set('more', 3)->get('more'));
?>
--EXPECT--
int(2)
int(1)
int(3)
