--TEST--
PO-18 POOL-11: a pool in a cycle through hooks, strategy and idle resources is collected
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

class Holder implements Async\CircuitBreakerStrategy {
    public $pool;
    public $conn;
    function reportSuccess(mixed $source): void {}
    function reportFailure(mixed $source, Throwable $error): void {}
    function shouldRecover(): bool { return false; }
    function __destruct() { echo "collected\n"; }
}
function cycle() {
    $holder = new Holder;
    $holder->pool = new Pool(function () use ($holder) { $c = new Conn; $c->holder = $holder; return $c; },
        function ($c) use ($holder) { echo "destroyed\n"; }, fn() => $holder, fn() => $holder, fn() => $holder, min: 1, healthcheckInterval: 1000);
    $holder->pool->setCircuitBreakerStrategy($holder);
    $holder->conn = $holder->pool->acquire();
    $holder->pool->release($holder->conn);
}
error_reporting(E_ALL & ~E_DEPRECATED);
cycle();
gc_collect_cycles();
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
collected
destroyed
end
