--TEST--
GC-01: a coroutine that waits for a resource of a pool that only it can reach is collected; not so with a time limit, or if others have the pool
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, suspend, await, delay, current_coroutine};
class Holder {
    public $held;
    function __construct(public string $name) {}
    function __destruct() { echo "gone: $this->name\n"; }
}
function wait(Pool $pool, string $name, int $limit = 0) {
    $holder = new Holder($name);
    $holder->held = current_coroutine();
    $lent = $pool->acquire();
    try {
        $pool->acquire($limit);
        echo "$name has it\n";
    } catch (Throwable $e) {
        echo "$name: ", get_class($e), "\n";
    }
    $holder->held = null;
}
function make(): Pool { return new Pool(fn() => new stdClass, max: 1); }
$shared = make();
$mine = $shared->acquire();
spawn(fn() => wait(make(), 'alone'));
$limited = spawn(fn() => wait(make(), 'limited', 20));
$waits = spawn(function () use ($shared) { $shared->acquire(); echo "shared has it\n"; });
for ($i = 0; $i < 5; $i++) suspend();
gc_collect_cycles();
for ($i = 0; $i < 5; $i++) suspend();
echo "released\n";
$shared->release($mine);
await($waits);
await($limited);
unset($limited, $waits);
gc_collect_cycles();
echo "end\n";
exit;
--EXPECT--
gone: alone
alone: Async\AsyncCancellation
released
shared has it
limited: Async\TimeoutException
gone: limited
end
