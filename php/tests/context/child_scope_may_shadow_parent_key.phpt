--TEST--
A child scope may set a key of its parent without replace
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
current_context()->set('k', 'parent');
$scope = Scope::inherit();
await($scope->spawn(function () {
    var_dump(current_context()->set('k', 'child')->get('k'));
    current_context()->unset('k');
    var_dump(current_context()->get('k'), current_context()->findLocal('k'));
}));
var_dump(current_context()->get('k'));
?>
--EXPECT--
string(5) "child"
string(6) "parent"
NULL
string(6) "parent"
