--TEST--
Destroying a pool while a resource is being created cancels the factory
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

function work() {
    $pool = new Pool(function () { try { delay(2); } catch (Cancellation $e) { echo "factory cancelled\n"; throw $e; } return new Conn; },
        fn($c) => print("destroyed\n"));
    $c = spawn(fn() => $pool->acquire());
    suspend();
    suspend();
    $c->cancel();
    try { await($c); } catch (Cancellation) { echo "waiter cancelled\n"; }
}
work();
gc_collect_cycles();
delay(10);
echo "end\n";
?>
--EXPECT--
waiter cancelled
factory cancelled
end
