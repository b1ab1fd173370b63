<?php

namespace Async;

/**
 * Manages up to $max resources and creates them on demand. Waiters get resources in FIFO order.
 *
 * The callables may suspend, except $beforeAcquire in tryAcquire(). $healthcheck, $beforeAcquire and $beforeRelease
 * reject a resource by returning a falsy value other than null. $factory must not return null. The method that calls
 * a callable throws its exceptions. $healthcheckInterval is in milliseconds; 0: no periodic checks.
 *
 * @template T
 */
final class Pool implements \Countable, CircuitBreaker
{
    public function __construct(
        callable $factory,
        ?callable $destructor = null,
        ?callable $healthcheck = null,
        ?callable $beforeAcquire = null,
        ?callable $beforeRelease = null,
        int $min = 0,
        int $max = 10,
        int $healthcheckInterval = 0
    ) {}

    /**
     * Waits for a resource for at most $timeout milliseconds; 0: no timeout. The message of the TimeoutException names
     * the holders of the resources.
     *
     * @return T
     * @throws PoolException the pool is closed
     * @throws ServiceUnavailableException the circuit breaker rejects the request
     * @throws TimeoutException
     */
    public function acquire(int $timeout = 0): mixed {}

    /**
     * An idle or a new resource; null if none is idle and the pool has reached $max.
     *
     * @return T|null
     */
    public function tryAcquire(): mixed {}

    /**
     * Returns a resource to the pool.
     *
     * @param T $resource
     * @throws PoolException the resource is not acquired from this pool
     */
    public function release(mixed $resource): void {}

    /** Rejects further calls, fails the waiters and destroys idle resources. */
    public function close(): void {}

    public function isClosed(): bool {}

    /** The number of resources. */
    public function count(): int {}

    /** The number of idle resources. */
    public function idleCount(): int {}

    /** The number of acquired resources. */
    public function activeCount(): int {}

    public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void {}

    public function getState(): CircuitBreakerState {}

    public function activate(): void {}

    public function deactivate(): void {}

    public function recover(): void {}
}
