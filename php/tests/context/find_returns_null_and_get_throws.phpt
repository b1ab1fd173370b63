--TEST--
CX-04: for a missing key find() returns null and get() throws ContextException
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
var_dump(current_context()->find('nothing'), current_context()->findLocal('nothing'));
foreach ([fn() => current_context()->get('nothing'), fn() => current_context()->getLocal('nothing'), fn() => current_context()->get(new ArrayObject)] as $call) {
    try { $call(); } catch (ContextException $e) { echo $e->getMessage(), "\n"; }
}
var_dump($e instanceof AsyncException);
?>
--EXPECT--
NULL
NULL
Context key "nothing" not found
Context key "nothing" not found
Context key of type ArrayObject not found
bool(true)
