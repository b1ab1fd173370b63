--TEST--
CH-03 CH-06: what a woken one was promised is not there for others
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend, await};
$ch = new Channel(1);
$r = spawn(fn() => $ch->recv());
suspend();
$ch->send("promised");
var_dump(count($ch), $ch->recvAsync()->ignore()->isCompleted());
var_dump(await($r));
?>
--EXPECT--
int(0)
bool(false)
string(8) "promised"
