--TEST--
null is stored like any other value
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$context = current_context()->set('n', null);
var_dump($context->find('n'), $context->get('n'), $context->has('n'), $context->hasLocal('n'));
try { $context->set('n', 1); } catch (ContextException) { echo "already set\n"; }
?>
--EXPECT--
NULL
NULL
bool(true)
bool(true)
already set
