--TEST--
CH-01: a value granted to a receiver that is then cancelled goes to the next receiver
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend, await};
$ch = new Channel(1);
$first = spawn(fn() => $ch->recv());
$second = spawn(fn() => $ch->recv());
suspend();
$ch->send("v");
$first->cancel();
var_dump(await($second));
try { await($first); } catch (Cancellation) { echo "cancelled\n"; }
?>
--EXPECT--
string(1) "v"
cancelled
