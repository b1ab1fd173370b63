--TEST--
A key object lives as long as its entry, so no other takes its place
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
class K { function __destruct() { echo "key gone\n"; } }
$context = current_context();
$context->set(new K, 1);
echo "still there\n";
for ($i = 0; $i < 100; $i++) { $other = new stdClass; if ($context->has($other)) echo "mistaken\n"; }
$scope = new Scope();
await($scope->spawn(function () use (&$key) { $key = new K; current_context()->set($key, 2); current_context()->unset($key); $key = null; echo "unset\n"; }));
echo "end\n";
?>
--EXPECT--
still there
key gone
unset
end
key gone
