--TEST--
set() of an existing key throws unless replace is true
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$context = current_context();
$context->set('k', 1);
try { $context->set('k', 2); } catch (ContextException $e) { echo $e->getMessage(), "\n"; }
var_dump($context->get('k'), $context->set('k', 3, replace: true) === $context, $context->get('k'));
?>
--EXPECT--
Context key already exists and replace is false
int(1)
bool(true)
int(3)
