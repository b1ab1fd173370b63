--TEST--
CH-10: competing receivers get values in FIFO order, each value once
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await_all, suspend};
$ch = new Channel();
$got = [];
foreach (["a", "b", "c"] as $name) $all[] = spawn(function () use ($ch, $name, &$got) { $got[] = $name . $ch->recv(); });
suspend();
$all[1]->cancel();
foreach ([1, 2] as $i) $ch->send($i);
await_all($all);
echo implode(" ", $got), "\n";
?>
--EXPECT--
a1 c2
