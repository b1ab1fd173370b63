--TEST--
CH-11: a recvAsync() future that is let go takes no value with it
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await, suspend};
$ch = new Channel(1);
$gone = $ch->recvAsync()->ignore();
unset($gone);
$ch->send("kept");
var_dump(count($ch));
$served = $ch->recvAsync()->ignore();
var_dump(count($ch), $served->isCompleted());
unset($served);
var_dump($ch->recv());
?>
--EXPECT--
int(1)
int(0)
bool(true)
string(4) "kept"
