--TEST--
The native stack of a coroutine suffices to free a linked list of ten thousand objects
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, await};
class Node { public $next; }
echo await(spawn(function () {
    $head = null;
    for ($i = 0; $i < 10000; $i++) {
        $node = new Node;
        $node->next = $head;
        $head = $node;
    }
    $node = $head = null;
    return "freed\n";
}));
--EXPECT--
freed
