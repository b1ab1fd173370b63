--TEST--
CH-11: destroying a recvAsync() future loses no value, whether pending or completed
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await, suspend};
$ch = new Channel(1);
$pending = $ch->recvAsync()->ignore();
unset($pending);
$ch->send("kept");
var_dump(count($ch));
$completed = $ch->recvAsync()->ignore();
var_dump(count($ch), $completed->isCompleted());
unset($completed);
var_dump($ch->recv());
?>
--EXPECT--
int(1)
int(0)
bool(true)
string(4) "kept"
