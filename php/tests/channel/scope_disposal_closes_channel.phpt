--TEST--
CH-14 CH-16: a channel created in a scope is closed with the scope; buffered values can still be received
--FILE--
<?php
use Async\{Channel, Scope, ChannelException};
use function Async\suspend;
$scope = new Scope;
$scope->spawn(function () use (&$ch) { $ch = new Channel(2); $ch->send("buffered"); });
suspend();
$scope->dispose();
suspend();
var_dump($ch->recv());
try { $ch->recv(); } catch (ChannelException $e) { var_dump($e->reason); }
?>
--EXPECT--
string(8) "buffered"
enum(Async\ChannelCloseReason::SCOPE_DISPOSED)
