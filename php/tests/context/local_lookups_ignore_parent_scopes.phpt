--TEST--
findLocal, getLocal and hasLocal look here alone
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('above', 1);
$scope = Scope::inherit();
await($scope->spawn(function () {
    $context = current_context()->set('here', 2);
    var_dump($context->findLocal('above'), $context->hasLocal('above'), $context->has('above'));
    var_dump($context->findLocal('here'), $context->getLocal('here'), $context->hasLocal('here'));
    try { $context->getLocal('above'); } catch (ContextException $e) { echo "not here\n"; }
}));
?>
--EXPECT--
NULL
bool(false)
bool(true)
int(2)
int(2)
bool(true)
not here
