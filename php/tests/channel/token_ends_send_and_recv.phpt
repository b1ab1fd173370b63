--TEST--
CH-18 CH-19: a pending or already fired token ends send() and recv(), and the value is not sent
--FILE--
<?php
use Async\{Channel, OperationCanceledException};
use function Async\{timeout, delay, spawn, await};
$ch = new Channel();
foreach ([fn($t) => $ch->send("x", $t), fn($t) => $ch->recv($t)] as $wait) {
    try { $wait(timeout(2)); } catch (OperationCanceledException $e) { echo $e->getMessage(), ": ", get_class($e->getPrevious()), "\n"; }
}
$old = timeout(1);
delay(5);
try { $ch->recv($old); } catch (OperationCanceledException $e) { echo "fired token\n"; }
var_dump($ch->sendAsync(1), $ch->recvAsync()->ignore()->isCompleted());
$late = spawn(function () use ($ch) { $ch->send("in time"); });
var_dump($ch->recv(timeout(10000)));
?>
--EXPECT--
Operation has been cancelled: Async\TimeoutException
Operation has been cancelled: Async\TimeoutException
fired token
bool(false)
bool(false)
string(7) "in time"
