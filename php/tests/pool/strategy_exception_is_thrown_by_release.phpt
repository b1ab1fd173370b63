--TEST--
An exception of a strategy is thrown by release(); a strategy must not suspend
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

class Strategy implements Async\CircuitBreakerStrategy {
    function reportSuccess(mixed $source): void { throw new RuntimeException("from the strategy"); }
    function reportFailure(mixed $source, Throwable $error): void { suspend(); }
    function shouldRecover(): bool { return false; }
}
$pool = new Pool(fn() => new Conn, beforeRelease: fn($c) => $c->ok);
$pool->setCircuitBreakerStrategy(new Strategy);
try { $pool->release($pool->acquire()); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
var_dump($pool->idleCount());
$conn = $pool->acquire();
$conn->ok = false;
try { $pool->release($conn); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
var_dump(count($pool));
?>
--EXPECTF--
from the strategy
int(1)
%sstrategy of a circuit breaker%S
int(0)
