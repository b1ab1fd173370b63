--TEST--
recvAsync() queues like a receiver and returns a future
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Channel, ChannelException};
use function Async\{spawn, await};
$ch = new Channel(3);
$a = $ch->recvAsync();
$b = $ch->recvAsync();
spawn(function () use ($ch) { $ch->send("A"); $ch->send("B"); $ch->close(); });
echo await($a), $b->await(), "\n";
try { await($ch->recvAsync()); } catch (ChannelException $e) { echo $e->reason->name, "\n"; }
$full = new Channel(1);
$full->send(1);
$now = $full->recvAsync();
var_dump($now->isCompleted(), await($now->map(fn($x) => $x + 1)));
?>
--EXPECT--
AB
EXPLICIT
bool(true)
int(2)
