--TEST--
CH-02 CH-05: a sender that leaves takes its value along, and the place goes to the next
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend, await};
$meet = new Channel();
$s = spawn(fn() => $meet->send("withdrawn"));
suspend();
$s->cancel();
suspend();
$t = spawn(fn() => $meet->send("second"));
var_dump($meet->recv());
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
