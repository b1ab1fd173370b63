--TEST--
The context of a coroutine is not visible to other coroutines or to its children
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$a = spawn(function () {
    coroutine_context()->set('secret', 1);
    await(spawn(function () { var_dump(coroutine_context()->find('secret')); }));
    suspend();
    var_dump(coroutine_context()->getLocal('secret'));
});
$b = spawn(function () { var_dump(coroutine_context()->find('secret'), current_context()->find('secret')); });
await($a); await($b);
var_dump(coroutine_context()->find('secret'));
?>
--EXPECT--
NULL
NULL
NULL
int(1)
NULL
