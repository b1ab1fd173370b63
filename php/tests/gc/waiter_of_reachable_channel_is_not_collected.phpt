--TEST--
A coroutine that awaits recvAsync() of a reachable channel is not collected and gets the value
--FILE--
<?php
use function Async\{spawn, suspend, await};
$channel = new Async\Channel;
spawn(function () use ($channel) {
    $future = $channel->recvAsync();
    unset($channel);
    $cycle = new stdClass;
    $cycle->self = $cycle;
    $cycle->future = $future;
    try { var_dump(await($future)); } catch (Throwable $e) { echo get_class($e), "\n"; }
});
suspend();
gc_collect_cycles();
suspend();
$channel->send(3);
suspend();
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
int(3)
end
