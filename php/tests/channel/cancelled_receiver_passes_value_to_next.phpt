--TEST--
CH-01: a receiver that is cancelled after it was served loses nothing
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
