--TEST--
Every call on a channel whose constructor has not run throws an error
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\Channel;
use function Async\{await_all, timeout};
set_error_handler(function () use (&$found) {
    foreach (debug_backtrace() as $frame) {
        if (!(($frame['object'] ?? null) instanceof Channel)) continue;
        $channel = $found = $frame['object'];
        $calls = [
            'send' => fn() => $channel->send(1), 'sendAsync' => fn() => $channel->sendAsync(1),
            'recv' => fn() => $channel->recv(), 'recvAsync' => fn() => $channel->recvAsync(),
            'close' => fn() => $channel->close(), 'isClosed' => fn() => $channel->isClosed(),
            'capacity' => fn() => $channel->capacity(), 'count' => fn() => count($channel),
            'isEmpty' => fn() => $channel->isEmpty(), 'isFull' => fn() => $channel->isFull(),
            'foreach' => function () use ($channel) { foreach ($channel as $value); },
            'iterator' => fn() => $channel->getIterator()->current(),
            'await_all' => fn() => await_all([$channel], timeout(1)),
        ];
        foreach ($calls as $name => $call) {
            try { $call(); echo "$name: no error\n"; } catch (Error $e) { echo "$name: {$e->getMessage()}\n"; }
        }
        gc_collect_cycles();
    }
    return true;
});
new Channel(null);
var_dump($found->capacity());
?>
--EXPECT--
send: Cannot use a channel whose constructor was not called
sendAsync: Cannot use a channel whose constructor was not called
recv: Cannot use a channel whose constructor was not called
recvAsync: Cannot use a channel whose constructor was not called
close: Cannot use a channel whose constructor was not called
isClosed: Cannot use a channel whose constructor was not called
capacity: Cannot use a channel whose constructor was not called
count: Cannot use a channel whose constructor was not called
isEmpty: Cannot use a channel whose constructor was not called
isFull: Cannot use a channel whose constructor was not called
foreach: Cannot use a channel whose constructor was not called
iterator: Cannot use a channel whose constructor was not called
await_all: Cannot use a channel whose constructor was not called
int(0)
