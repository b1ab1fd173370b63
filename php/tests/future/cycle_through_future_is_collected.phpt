--TEST--
The garbage collector visits the value, error, callbacks and chained futures of a future
--FILE--
<?php
use Async\{Future, FutureState};
class Node { public $to; function __destruct() { echo "destroyed\n"; } }
function value() { $n = new Node; $n->to = Future::completed($n)->ignore(); }
function callback() { $n = new Node; $s = new FutureState; $n->to = [$s, (new Future($s))->map(fn() => $n)->ignore()]; }
function error() { $n = new Node; $e = new class("x") extends Exception { public $n; }; $e->n = $n; $n->to = Future::failed($e)->ignore(); }
foreach (["value", "callback", "error"] as $f) { echo $f, "\n"; $f(); gc_collect_cycles(); }
echo "end\n";
?>
--EXPECT--
value
destroyed
callback
destroyed
error
destroyed
end
