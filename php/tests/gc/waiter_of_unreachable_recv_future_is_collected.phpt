--TEST--
GC-01: a coroutine that awaits recvAsync() is garbage if no other code references the channel or the future
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend, await, delay};
function wait(string $name, Closure $wait) {
    spawn(function () use ($name, $wait) {
        try {
            echo "$name: " . $wait() . "\n";
        } catch (Throwable $e) {
            echo "$name: ", get_class($e), "\n";
        }
    });
    for ($i = 0; $i < 3; $i++) suspend();
    gc_collect_cycles();
    for ($i = 0; $i < 3; $i++) suspend();
}
wait("alone", function () { $ch = new Channel; return $ch->recvAsync()->await(); });
wait("alone, by await()", function () { $ch = new Channel; return await($ch->recvAsync()); });
wait("two futures", function () { $ch = new Channel; $first = $ch->recvAsync()->ignore(); return $ch->recvAsync()->await(); });
wait("chained", function () { $ch = new Channel; return $ch->recvAsync()->map(fn($v) => $v)->catch(fn($e) => $e)->await(); });
wait("recv beside a shared future", function () use (&$future) {
    $ch = new Channel;
    $future = $ch->recvAsync();
    return $ch->recv();
});
try { $future->await(); } catch (Throwable $e) { echo "the future: ", get_class($e), "\n"; }
echo "-- not collected\n";
$kept = new Channel;
wait("shared channel", fn() => $kept->recvAsync()->await());
wait("shared channel, chained", fn() => $kept->recvAsync()->map(fn($v) => "mapped $v")->await());
$kept->send("sent");
$kept->send("sent");
for ($i = 0; $i < 3; $i++) suspend();
wait("shared future", function () use (&$shared) { $ch = new Channel; $shared = $ch->recvAsync(); return $shared->await(); });
$shared->cancel(new Async\OperationCanceledException("cancelled elsewhere"));
suspend();
wait("a value may be returned", function () use (&$completed) {
    $ch = new Channel(1);
    $ch->send("returned");
    $completed = $ch->recvAsync()->ignore();
    return $ch->recvAsync()->await();
});
$completed = null;
suspend();
wait("channel with timeouts", function () { $ch = new Channel(0, 5, 0, true); return $ch->recvAsync()->await(); });
delay(20);
?>
--EXPECT--
alone: Async\AsyncCancellation
alone, by await(): Async\AsyncCancellation
two futures: Async\AsyncCancellation
chained: Async\AsyncCancellation
recv beside a shared future: Async\AsyncCancellation
the future: Async\ChannelException
-- not collected
shared channel: sent
shared channel, chained: mapped sent
shared future: Async\OperationCanceledException
a value may be returned: returned
channel with timeouts: Async\ChannelException
