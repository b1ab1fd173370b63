--TEST--
A lookup goes from the coroutine to its scope and then to the parent scopes
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
root_context()->set('where', 'root')->set('only root', 1);
$scope = Scope::inherit();
await($scope->spawn(function () {
    current_context()->set('where', 'scope')->set('only scope', 2);
    coroutine_context()->set('where', 'coroutine');
    var_dump(coroutine_context()->find('where'), current_context()->find('where'), root_context()->find('where'));
    var_dump(coroutine_context()->find('only scope'), coroutine_context()->find('only root'), current_context()->find('only root'));
}));
?>
--EXPECT--
string(9) "coroutine"
string(5) "scope"
string(4) "root"
int(2)
int(1)
int(1)
