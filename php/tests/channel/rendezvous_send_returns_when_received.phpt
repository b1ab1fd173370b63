--TEST--
CH-09: with capacity 0 send() suspends until a receiver has the value
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await, suspend};
$ch = new Channel();
$sender = spawn(function () use ($ch) { echo "before\n"; $ch->send("hello"); echo "sent\n"; });
suspend(); suspend();
echo "not received yet\n";
var_dump($ch->recv());
await($sender);
var_dump($ch->capacity(), count($ch), $ch->isEmpty(), $ch->isFull());
?>
--EXPECT--
before
not received yet
string(5) "hello"
sent
int(0)
int(0)
bool(true)
bool(true)
