--TEST--
The garbage collector visits the values in a channel
--FILE--
<?php
class Node { public $ch; function __destruct() { echo "destroyed\n"; } }
function make() { $n = new Node; $n->ch = new Async\Channel(3); $n->ch->send($n); }
make();
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
destroyed
end
