--TEST--
An entry keeps its key object alive, so no other object can take over its identity
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
class K { function __destruct() { echo "key destroyed\n"; } }
$context = current_context();
$context->set(new K, 1);
echo "still set\n";
for ($i = 0; $i < 100; $i++) { $other = new stdClass; if ($context->has($other)) echo "wrong key found\n"; }
$scope = new Scope();
await($scope->spawn(function () use (&$key) { $key = new K; current_context()->set($key, 2); current_context()->unset($key); $key = null; echo "unset\n"; }));
echo "end\n";
?>
--EXPECT--
still set
key destroyed
unset
end
key destroyed
