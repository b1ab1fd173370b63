--TEST--
Object keys are compared by identity
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
class K { function __construct(public $x = 1) {} }
$a = new K; $b = new K;
$context = current_context()->set($a, 'for a');
var_dump($context->get($a), $context->find($b), $context->has($b), $context->set($b, 'for b')->get($b));
var_dump($context->unset($a)->has($a), $context->has($b));
?>
--EXPECT--
string(5) "for a"
NULL
bool(false)
string(5) "for b"
bool(false)
bool(true)
