--TEST--
A reference is stored by value
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
$a = [1];
$r = &$a;
current_context()->set('a', $r);
$a[] = 2;
echo json_encode(current_context()->get('a')), "\n";
$got = current_context()->get('a');
$got[] = 3;
echo json_encode(current_context()->get('a')), "\n";
?>
--EXPECT--
[1]
[1]
