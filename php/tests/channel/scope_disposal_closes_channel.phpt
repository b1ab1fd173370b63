--TEST--
CH-14 CH-16: a channel that was made in a scope ends with it; what is in it can still be received
--FILE--
<?php
use Async\{Channel, Scope, ChannelException};
use function Async\suspend;
$scope = new Scope;
$scope->spawn(function () use (&$ch) { $ch = new Channel(2); $ch->send("left"); });
suspend();
$scope->dispose();
suspend();
var_dump($ch->recv());
try { $ch->recv(); } catch (ChannelException $e) { var_dump($e->reason); }
?>
--EXPECT--
string(4) "left"
enum(Async\ChannelCloseReason::SCOPE_DISPOSED)
