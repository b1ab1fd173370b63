--TEST--
set() and unset() return the context
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$context = current_context()->set('a', 1)->set('b', 2)->set('c', 3)->unset('a')->unset('b')->unset('never there');
var_dump($context === current_context(), $context->has('a'), $context->has('b'), $context->get('c'));
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
int(3)
