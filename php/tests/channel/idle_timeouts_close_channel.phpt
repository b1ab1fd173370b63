--TEST--
CH-14: noProducerTimeout and noConsumerTimeout close the channel with the matching reason
--DESCRIPTION--
not under: asan
--FILE--
<?php
use Async\{Channel, ChannelException};
$ch = new Channel(0, 5, 0, true);
try { $ch->recv(); } catch (ChannelException $e) { var_dump($e->reason, $ch->isClosed()); }
$ch = new Channel(capacity: 1, noConsumerTimeout: 5, hardTimeouts: true);
$ch->send(1);
try { $ch->send(2); } catch (ChannelException $e) { var_dump($e->reason); }
var_dump($ch->recv());
?>
--EXPECT--
enum(Async\ChannelCloseReason::NO_PRODUCERS)
bool(true)
enum(Async\ChannelCloseReason::NO_CONSUMERS)
int(1)
