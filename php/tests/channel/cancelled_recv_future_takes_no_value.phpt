--TEST--
CH-11: a cancelled recvAsync() future takes no value and keeps its error when the channel is destroyed
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend};
$channel = new Channel(1);
$future = $channel->recvAsync();
spawn(function () use ($future) { try { $future->await(); } catch (Throwable $e) { echo $e->getMessage(), "\n"; } });
suspend();
$future->cancel(new Async\OperationCanceledException("cancelled by test"));
suspend();
$channel->send("for the next receiver");
echo $channel->recv(), "\n";
unset($channel);
gc_collect_cycles();
try { $future->await(); } catch (Throwable $e) { echo "still: ", $e->getMessage(), "\n"; }
?>
--EXPECT--
cancelled by test
for the next receiver
still: cancelled by test
