--TEST--
CH-12: foreach receives until close() and drains the buffer
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await};
$ch = new Channel(1);
$p = spawn(function () use ($ch) { foreach ([10, 20, 30] as $v) $ch->send($v); $ch->close(); });
foreach ($ch as $k => $v) echo "$k=>$v\n";
await($p);
var_dump($ch->isClosed());
foreach ($ch as $v) echo "never\n";
foreach ($ch->getIterator() as $v) echo "never\n";
var_dump($ch->getIterator() instanceof Iterator);
?>
--EXPECT--
0=>10
1=>20
2=>30
bool(true)
bool(true)
