--TEST--
Coroutines of one scope share its context
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$scope = new Scope();
$a = $scope->spawn(function () { current_context()->set('shared', 1); return current_context(); });
$b = $scope->spawn(function () { return [current_context(), current_context()->get('shared')]; });
[$second, $value] = await($b);
var_dump(await($a) === $second, $value);
?>
--EXPECT--
bool(true)
int(1)
