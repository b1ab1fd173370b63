--TEST--
findLocal(), getLocal() and hasLocal() ignore the parent scopes
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('parent', 1);
$scope = Scope::inherit();
await($scope->spawn(function () {
    $context = current_context()->set('local', 2);
    var_dump($context->findLocal('parent'), $context->hasLocal('parent'), $context->has('parent'));
    var_dump($context->findLocal('local'), $context->getLocal('local'), $context->hasLocal('local'));
    try { $context->getLocal('parent'); } catch (ContextException $e) { echo "not local\n"; }
}));
?>
--EXPECT--
NULL
bool(false)
bool(true)
int(2)
int(2)
bool(true)
not local
