--TEST--
GC-01: a coroutine that the collector cancelled and that waits for the same unreachable object again is not freed
--FILE--
<?php
use function Async\{spawn, suspend, await};
use Async\{Future, FutureState, Channel, TaskGroup};
function future_twice(string $name) {
    $future = new Future($state = new FutureState);
    for ($i = 0; $i < 2; $i++) {
        try { await($future); } catch (Cancellation $e) { echo "$name $i\n"; }
        unset($e);
    }
    return 5;
}
spawn('future_twice', 'coroutine');
$group = new TaskGroup;
$group->spawn(fn() => future_twice('task'));
spawn(function () {
    $channel = new Channel;
    for ($i = 0; $i < 2; $i++) {
        try { $channel->recv(); } catch (Cancellation $e) { echo "channel $i\n"; }
        unset($e);
    }
});
suspend();
for ($i = 0; $i < 4; $i++) {
    gc_collect_cycles();
    suspend();
    $new[] = str_repeat('abc', 100);
}
exit("end\n");
--EXPECT--
coroutine 0
task 0
channel 0
end
coroutine 1
task 1
channel 1
