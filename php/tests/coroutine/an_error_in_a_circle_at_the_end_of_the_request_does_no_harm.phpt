--TEST--
A coroutine with an error that is in a circle when the request ends does no harm
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
