--TEST--
A buffered channel accepts values up to its capacity; then senders suspend
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await, suspend};
$ch = new Channel(2);
$log = [];
$sender = spawn(function () use ($ch, &$log) { foreach ([1, 2, 3] as $i) { $ch->send($i); $log[] = $i; } });
suspend();
echo implode(",", $log), " of ", $ch->capacity(), " ", $ch->isFull() ? "full" : "", "\n";
echo $ch->recv(), "\n";
await($sender);
echo implode(",", $log), "\n", $ch->recv(), $ch->recv(), "\n";
var_dump($ch->isEmpty(), $ch->isFull());
?>
--EXPECT--
1,2 of 2 full
1
1,2,3
23
bool(true)
bool(false)
