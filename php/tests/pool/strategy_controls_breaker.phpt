--TEST--
PO-19 PO-25: a strategy gets successes and failures, also of the factory, and switches the breaker
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

use Async\{CircuitBreakerStrategy, CircuitBreakerState};
class Strategy implements CircuitBreakerStrategy {
    public bool $recover = false;
    function reportSuccess(mixed $source): void { echo "success ", $source->getState()->name, "\n"; $source->activate(); }
    function reportFailure(mixed $source, Throwable $error): void { echo "failure: ", $error->getMessage(), "\n"; $source->deactivate(); }
    function shouldRecover(): bool { return $this->recover; }
}
$fails = true;
$pool = new Pool(function () use (&$fails) { if ($fails) throw new RuntimeException("down"); return new Conn; }, beforeRelease: fn($c) => $c->ok);
$pool->setCircuitBreakerStrategy($strategy = new Strategy);
try { $pool->acquire(); } catch (Throwable $e) { echo get_class($e), "\n"; }
var_dump($pool->getState()->name);
$fails = false;
$pool->activate();
$conn = $pool->acquire();
$pool->release($conn);
$conn = $pool->acquire();
$conn->ok = false;
$pool->release($conn);
var_dump($pool->getState()->name);
$pool->setCircuitBreakerStrategy(null);
$pool->activate();
$pool->release($pool->acquire());
?>
--EXPECTF--
failure: down
%s
string(8) "INACTIVE"
success ACTIVE
failure: pool: a resource was rejected on release
string(8) "INACTIVE"
