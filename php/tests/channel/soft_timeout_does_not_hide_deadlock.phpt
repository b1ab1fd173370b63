--TEST--
CH-15: a soft timeout does not hide a deadlock
--DESCRIPTION--
not under: asan
--FILE--
<?php
use Async\{Channel, ChannelException};
$begin = hrtime(true);
$ch = new Channel(0, 60000, 60000);
try { $ch->recv(); } catch (ChannelException $e) { var_dump($e->reason, hrtime(true) - $begin < 30e9); }
?>
--EXPECT--
enum(Async\ChannelCloseReason::DEADLOCK)
bool(true)
