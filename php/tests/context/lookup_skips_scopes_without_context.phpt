--TEST--
CX-01: a lookup skips scopes that have no context
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('deep', 'found');
$a = Scope::inherit();
$b = Scope::inherit($a);
$c = Scope::inherit($b);
await($c->spawn(function () { var_dump(current_context()->find('deep'), coroutine_context()->get('deep')); }));
?>
--EXPECT--
string(5) "found"
string(5) "found"
