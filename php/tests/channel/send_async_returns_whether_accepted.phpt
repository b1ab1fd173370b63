--TEST--
sendAsync() returns whether the channel accepted the value
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend};
$ch = new Channel(1);
var_dump($ch->sendAsync("a"), $ch->sendAsync("b"));
$rendezvous = new Channel();
var_dump($rendezvous->sendAsync("no receiver"));
$r = spawn(fn() => $rendezvous->recv());
suspend();
var_dump($rendezvous->sendAsync("receiver waits"), Async\await($r));
$ch->close();
var_dump($ch->sendAsync("closed"));
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(true)
string(14) "receiver waits"
bool(false)
