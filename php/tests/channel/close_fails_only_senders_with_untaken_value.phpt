--TEST--
CH-07 CH-08: close() fails senders whose value was not received, but not senders whose value was received
--FILE--
<?php
use Async\{Channel, ChannelException};
use function Async\{spawn, suspend, await};
$ch = new Channel();
$a = spawn(function () use ($ch) { $ch->send("taken"); return "sent"; });
$b = spawn(function () use ($ch) { try { $ch->send("untaken"); return "sent"; } catch (ChannelException) { return "failed"; } });
suspend();
var_dump($ch->recv());
$ch->close();
var_dump(await($a), await($b));
try { $ch->recv(); } catch (ChannelException) { echo "empty\n"; }
?>
--EXPECT--
string(5) "taken"
string(4) "sent"
string(6) "failed"
empty
