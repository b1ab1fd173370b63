--TEST--
Values of a channel are seen by the collector
--FILE--
<?php
class Node { public $ch; function __destruct() { echo "gone\n"; } }
function make() { $n = new Node; $n->ch = new Async\Channel(3); $n->ch->send($n); }
make();
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
gone
end
