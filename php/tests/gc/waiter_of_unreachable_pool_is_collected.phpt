--TEST--
GC-01: a coroutine that waits for an unreachable pool is collected, but not with a timeout or if the pool is reachable
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, suspend, await, delay, current_coroutine};
class Holder {
    public $held;
    function __construct(public string $name) {}
    function __destruct() { echo "destroyed: $this->name\n"; }
}
function wait(Pool $pool, string $name, int $timeout = 0) {
    $holder = new Holder($name);
    $holder->held = current_coroutine();
    $leased = $pool->acquire();
    try {
        $pool->acquire($timeout);
        echo "$name acquired\n";
    } catch (Throwable $e) {
        echo "$name: ", get_class($e), "\n";
    }
    $holder->held = null;
}
function make(): Pool { return new Pool(fn() => new stdClass, max: 1); }
$shared = make();
$resource = $shared->acquire();
spawn(fn() => wait(make(), 'alone'));
$with_timeout = spawn(fn() => wait(make(), 'with timeout', 20));
$waiter = spawn(function () use ($shared) { $shared->acquire(); echo "shared acquired\n"; });
for ($i = 0; $i < 5; $i++) suspend();
gc_collect_cycles();
for ($i = 0; $i < 5; $i++) suspend();
echo "released\n";
$shared->release($resource);
await($waiter);
await($with_timeout);
unset($with_timeout, $waiter);
gc_collect_cycles();
echo "end\n";
exit;
--EXPECT--
destroyed: alone
alone: Async\AsyncCancellation
released
shared acquired
with timeout: Async\TimeoutException
destroyed: with timeout
end
