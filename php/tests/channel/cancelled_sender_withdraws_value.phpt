--TEST--
CH-02 CH-05: a cancelled sender withdraws its value; the next sender gets the free slot
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend, await};
$rendezvous = new Channel();
$s = spawn(fn() => $rendezvous->send("withdrawn"));
suspend();
$s->cancel();
suspend();
$t = spawn(fn() => $rendezvous->send("second"));
var_dump($rendezvous->recv());
$ch = new Channel(1);
$ch->send(1);
$a = spawn(fn() => $ch->send(2));
$b = spawn(fn() => $ch->send(3));
suspend();
$a->cancel();
suspend();
var_dump($ch->recv(), $ch->recv(), count($ch));
?>
--EXPECT--
string(6) "second"
int(1)
int(3)
int(0)
