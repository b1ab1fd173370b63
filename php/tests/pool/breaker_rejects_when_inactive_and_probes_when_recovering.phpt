--TEST--
CB-01 CB-02 CB-03: the breaker rejects calls while inactive and admits probes while recovering
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

use Async\CircuitBreakerState;
$pool = new Pool(fn() => new Conn, max: 1);
var_dump($pool->getState());
$conn = $pool->acquire();
$waiter = spawn(fn() => $pool->acquire());
suspend();
$pool->deactivate();
var_dump($pool->getState() === CircuitBreakerState::INACTIVE);
try { await($waiter); } catch (Async\ServiceUnavailableException $e) { echo "waiter: ", $e->getMessage(), "\n"; }
try { $pool->acquire(); } catch (Async\ServiceUnavailableException $e) {
    echo "acquire: ", $e->getMessage(), "\n";
    var_dump(str_contains($e->getPrevious()->getMessage(), "inactive"));
}
try { $pool->tryAcquire(); } catch (Async\ServiceUnavailableException $e) { echo "tryAcquire\n"; }
$pool->release($conn);
$pool->recover();
var_dump($pool->getState(), $pool->acquire() === $conn);
try { $pool->acquire(); } catch (Async\ServiceUnavailableException $e) {
    echo "probe: ", $e->getMessage(), "\n";
    var_dump(str_contains($e->getPrevious()->getMessage(), "recovering"));
}
$pool->release($conn);
$pool->activate();
var_dump($pool->getState(), $pool->acquire() === $conn);
?>
--EXPECT--
enum(Async\CircuitBreakerState::ACTIVE)
bool(true)
waiter: Service is unavailable (circuit breaker is open)
acquire: Service is unavailable (circuit breaker is open)
bool(true)
tryAcquire
enum(Async\CircuitBreakerState::RECOVERING)
bool(true)
probe: Service is unavailable (circuit breaker is open)
bool(true)
enum(Async\CircuitBreakerState::ACTIVE)
bool(true)
