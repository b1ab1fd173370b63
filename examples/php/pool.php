<?php
// A pool of connections: lent and returned, checked in the background, and behind a breaker that spares a service which
// is down.
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

/** Three failures in a row close the way to the service; a pause later it is tried again. */
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
    destructor: function (Connection $old) { echo "closes {$old->number}\n"; },
    healthcheck: fn (Connection $idle) => !$idle->isBroken,
    beforeRelease: fn (Connection $back) => !$back->isBroken,
    max: 2,
    healthcheckInterval: 5,
);
$requests = [];
for ($i = 1; $i <= 6; $i++) {
    $requests[] = spawn(function () use ($pool, $i) {
        $connection = $pool->acquire(5000);  // waits its turn
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
$idle->isBroken = true;  // the server hangs up; the next check finds it
delay(50);
echo "idle: {$pool->idleCount()}\n";

$first = $pool->acquire();
$second = $pool->acquire();
try {
    $pool->acquire(10);
} catch (TimeoutException $error) {
    echo "no third one\n";
}
$pool->release($first);
$pool->release($second);

$pool->setCircuitBreakerStrategy(new ThreeFailures());
for ($i = 1; $i <= 3; $i++) {
    $connection = $pool->acquire();
    $connection->isBroken = true;  // beforeRelease refuses it: a failure
    $pool->release($connection);
}
try {
    $pool->acquire();
} catch (ServiceUnavailableException $error) {
    echo 'refused: ', $pool->getState() === CircuitBreakerState::INACTIVE ? 'inactive' : 'not inactive', "\n";
}
$pool->activate();
$connection = $pool->acquire();
echo "back again\n";
$pool->release($connection);
$pool->close();
