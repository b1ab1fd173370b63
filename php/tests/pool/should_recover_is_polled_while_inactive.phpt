--TEST--
PO-23: shouldRecover() is polled by a background timer while the breaker is inactive, and may suspend
--DESCRIPTION--
not under: asan
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

class Strategy implements Async\CircuitBreakerStrategy {
    public int $calls = 0;
    function reportSuccess(mixed $source): void { $source->activate(); }
    function reportFailure(mixed $source, Throwable $error): void {}
    function shouldRecover(): bool { suspend(); return ++$this->calls == 2; }
}
$pool = new Pool(fn() => new Conn);
$pool->setCircuitBreakerStrategy($strategy = new Strategy);
$pool->deactivate();
for ($i = 0; $i < 100 && $pool->getState() != Async\CircuitBreakerState::RECOVERING; $i++) delay(10);
var_dump($strategy->calls, $pool->getState()->name);
$pool->release($pool->acquire());
var_dump($pool->getState()->name);
?>
--EXPECT--
int(2)
string(10) "RECOVERING"
string(6) "ACTIVE"
