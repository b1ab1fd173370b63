--TEST--
Values of every type are stored and returned unchanged
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$object = new stdClass;
$closure = fn() => 7;
$values = [true, 1.5, 'text', [1, ['x' => 2]], $object, $closure];
foreach ($values as $i => $value) current_context()->set("v$i", $value);
foreach ($values as $i => $value) var_dump(current_context()->get("v$i") === $value);
var_dump(current_context()->get('v5')());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(7)
