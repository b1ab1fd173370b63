--TEST--
A failed coroutine that is part of a reference cycle at the end of the request is freed without a crash
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
class Node { public $coroutine; public $self; }
$node = new Node;
$node->self = $node;
$node->coroutine = Async\spawn(fn() => throw new Exception("kept"));
Async\suspend();
unset($node);
echo "end\n";
?>
--EXPECTF--
end%A
