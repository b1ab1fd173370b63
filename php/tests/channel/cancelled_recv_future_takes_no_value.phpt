--TEST--
CH-11: a future of recvAsync() that was cancelled takes no value, and keeps its error when the channel ends
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend};
$channel = new Channel(1);
$future = $channel->recvAsync();
spawn(function () use ($future) { try { $future->await(); } catch (Throwable $e) { echo $e->getMessage(), "\n"; } });
suspend();
$future->cancel(new Async\OperationCanceledException("not wanted"));
suspend();
$channel->send("for another one");
echo $channel->recv(), "\n";
unset($channel);
gc_collect_cycles();
try { $future->await(); } catch (Throwable $e) { echo "still: ", $e->getMessage(), "\n"; }
?>
--EXPECT--
not wanted
for another one
still: not wanted
