--TEST--
sendAsync() tells by its result whether the value was taken
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend};
$ch = new Channel(1);
var_dump($ch->sendAsync("a"), $ch->sendAsync("b"));
$meet = new Channel();
var_dump($meet->sendAsync("nobody"));
$r = spawn(fn() => $meet->recv());
suspend();
var_dump($meet->sendAsync("somebody"), Async\await($r));
$ch->close();
var_dump($ch->sendAsync("closed"));
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(true)
string(8) "somebody"
bool(false)
