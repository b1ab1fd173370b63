<?php
// A pool of connections: acquire and release, background health checks, and a circuit breaker that rejects calls while
// the service is down.
use Async\{CircuitBreakerState, CircuitBreakerStrategy, Pool, ServiceUnavailableException, TimeoutException};
use function Async\{await, delay, spawn};

final class Connection
{
    private static int $opened = 0;
    public readonly int $number;
    public bool $isBroken = false;

    public function __construct()
    {
        delay(1);
        $this->number = ++self::$opened;
    }

    public function query(int $value): int
    {
        delay(1);
        return $value * $value;
    }
}

/** Three failures in a row deactivate the pool; the next recovery check lets it recover. */
final class ThreeFailures implements CircuitBreakerStrategy
{
    private int $failures = 0;

    public function reportSuccess(mixed $source): void
    {
        $this->failures = 0;
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
        if (++$this->failures >= 3) {
            $source->deactivate();
        }
    }

    public function shouldRecover(): bool
    {
        return true;
    }
}

$pool = new Pool(
    factory: fn () => new Connection(),
    destructor: function (Connection $old) { echo "closing connection {$old->number}\n"; },
    healthcheck: fn (Connection $idle) => !$idle->isBroken,
    beforeRelease: fn (Connection $back) => !$back->isBroken,
    max: 2,
    healthcheckInterval: 5,
);
$requests = [];
for ($i = 1; $i <= 6; $i++) {
    $requests[] = spawn(function () use ($pool, $i) {
        $connection = $pool->acquire(5000);  // suspends until a connection is free
        try {
            return $connection->query($i);
        } finally {
            $pool->release($connection);
        }
    });
}
echo 'sum ', array_sum(array_map(fn ($request) => await($request), $requests)), " over {$pool->count()} connections\n";

$idle = $pool->acquire();
$pool->release($idle);
$idle->isBroken = true;  // as if the server had closed it; the next health check detects it
delay(50);
echo "idle: {$pool->idleCount()}\n";

$first = $pool->acquire();
$second = $pool->acquire();
try {
    $pool->acquire(10);
} catch (TimeoutException $error) {
    echo "timed out: both connections are in use\n";
}
$pool->release($first);
$pool->release($second);

$pool->setCircuitBreakerStrategy(new ThreeFailures());
for ($i = 1; $i <= 3; $i++) {
    $connection = $pool->acquire();
    $connection->isBroken = true;  // beforeRelease rejects it, which counts as a failure
    $pool->release($connection);
}
try {
    $pool->acquire();
} catch (ServiceUnavailableException $error) {
    echo 'rejected: ', $pool->getState() === CircuitBreakerState::INACTIVE ? 'inactive' : 'not inactive', "\n";
}
$pool->activate();
$connection = $pool->acquire();
echo "available again\n";
$pool->release($connection);
$pool->close();
