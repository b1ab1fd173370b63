--TEST--
Keys are strings or objects: numbers become strings, other types throw a TypeError
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$context = current_context()->set('', 'empty')->set("a\0b", 'nul');
var_dump($context->get(''), $context->get("a\0b"), $context->has('a'));
foreach ([[], null] as $bad) {
    foreach (['find', 'get', 'has', 'findLocal', 'getLocal', 'hasLocal', 'unset'] as $method) {
        try { @$context->$method($bad); if ($bad === []) echo "no error\n"; } catch (TypeError $e) { if ($method === 'find') echo $e->getMessage(), "\n"; }
        catch (ContextException) {}
    }
}
try { $context->set([], 1); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
$context->set(5, 'five');
var_dump($context->get('5'));
?>
--EXPECT--
string(5) "empty"
string(3) "nul"
bool(false)
Async\Context::find(): Argument #1 ($key) must be of type object|string, array given
Async\Context::set(): Argument #1 ($key) must be of type object|string, array given
string(4) "five"
