--TEST--
After close() send throws and recv throws once drained; waiters on both sides fail; a second close() does nothing
--FILE--
<?php
use Async\{Channel, ChannelException};
use function Async\{spawn, suspend};
$ch = new Channel(1);
$ch->send("left");
spawn(function () use ($ch) { try { $ch->send("x"); } catch (ChannelException $e) { echo "sender: ", $e->reason->value, "\n"; } });
suspend();
$ch->close();
$ch->close();
suspend();
try { $ch->send(1); } catch (ChannelException $e) { echo $e->getMessage(), "\n"; }
var_dump($ch->recv());
try { $ch->recv(); } catch (ChannelException $e) { var_dump($e->reason, $e instanceof Async\AsyncException); }
$empty = new Channel();
spawn(function () use ($empty) { try { $empty->recv(); } catch (ChannelException $e) { echo "receiver: ", $e->reason->name, "\n"; } });
suspend();
$empty->close();
suspend();
?>
--EXPECT--
sender: explicit
Channel is closed
string(4) "left"
enum(Async\ChannelCloseReason::EXPLICIT)
bool(true)
receiver: EXPLICIT
