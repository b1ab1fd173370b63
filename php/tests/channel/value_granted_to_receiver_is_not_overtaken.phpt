--TEST--
CH-03 CH-06: a value granted to a woken receiver is not available to later receivers
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend, await};
$ch = new Channel(1);
$r = spawn(fn() => $ch->recv());
suspend();
$ch->send("reserved");
var_dump(count($ch), $ch->recvAsync()->ignore()->isCompleted());
var_dump(await($r));
?>
--EXPECT--
int(0)
bool(false)
string(8) "reserved"
