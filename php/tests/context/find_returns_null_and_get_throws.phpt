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
There is no "nothing" in this context or above it; find() answers null instead
There is no "nothing" in this context itself; find() answers null instead
There is no an object of class ArrayObject in this context or above it; find() answers null instead
bool(true)
