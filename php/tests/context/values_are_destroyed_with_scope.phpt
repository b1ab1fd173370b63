--TEST--
The values go with their scope, and with their coroutine
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
class V { function __construct(private $name) {} function __destruct() { echo $this->name, " gone\n"; } }
$scope = new Scope();
await($scope->spawn(function () { current_context()->set('v', new V('scope')); coroutine_context()->set('v', new V('coroutine')); }));
echo "coroutine over\n";
$scope->dispose();
unset($scope);
echo "end\n";
?>
--EXPECT--
coroutine gone
coroutine over
scope gone
end
