--TEST--
Coroutine::getContext() returns the context that coroutine_context() returns inside, also after the end
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$c = spawn(function () use (&$inside) { $inside = coroutine_context(); $inside->set('k', 'v'); });
$before = $c->getContext();
await($c);
var_dump($before === $inside, $c->getContext() === $inside, $c->getContext()->get('k'));
$d = spawn(fn() => 1);
await($d);
var_dump($d->getContext()->find('k'), $d->getContext()->set('late', 1)->get('late'));
?>
--EXPECT--
bool(true)
bool(true)
string(1) "v"
NULL
int(1)
