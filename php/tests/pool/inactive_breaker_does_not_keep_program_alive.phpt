--TEST--
PO-16: polling the strategy of an inactive breaker does not keep the program alive
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

class Strategy implements Async\CircuitBreakerStrategy {
    function reportSuccess(mixed $source): void {}
    function reportFailure(mixed $source, Throwable $error): void {}
    function shouldRecover(): bool { return false; }
}
$pool = new Pool(fn() => new Conn, healthcheck: fn() => true, min: 1, healthcheckInterval: 1000);
$pool->setCircuitBreakerStrategy(new Strategy);
$pool->deactivate();
echo "end\n";
?>
--EXPECT--
end
