--TEST--
Values are destroyed with their scope or coroutine
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
class V { function __construct(private $name) {} function __destruct() { echo $this->name, " destroyed\n"; } }
$scope = new Scope();
await($scope->spawn(function () { current_context()->set('v', new V('scope')); coroutine_context()->set('v', new V('coroutine')); }));
echo "coroutine finished\n";
$scope->dispose();
unset($scope);
echo "end\n";
?>
--EXPECT--
coroutine destroyed
coroutine finished
scope destroyed
end
