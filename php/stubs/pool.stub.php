<?php

namespace Async;

/**
 * Lends out resources, up to $max, and makes them as needed. Who waits longest is served first.
 *
 * All callables may wait; $beforeAcquire not in tryAcquire(). A check refuses by returning what counts as false; null is
 * no objection. A factory must not return null. What a callable throws comes out of the method that called it.
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
     * Waits for a resource, at most so many milliseconds (0: no limit). A TimeoutException says who has the resources.
     *
     * @return T
     * @throws PoolException the pool is closed
     * @throws ServiceUnavailableException the breaker refuses
     * @throws TimeoutException
     */
    public function acquire(int $timeout = 0): mixed {}

    /**
     * A resource if one is there or can be made, else null.
     *
     * @return T|null
     */
    public function tryAcquire(): mixed {}

    /**
     * @param T $resource what was acquired here and not released yet; anything else is a PoolException
     */
    public function release(mixed $resource): void {}

    public function close(): void {}

    public function isClosed(): bool {}

    public function count(): int {}

    public function idleCount(): int {}

    public function activeCount(): int {}

    public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void {}

    public function getState(): CircuitBreakerState {}

    public function activate(): void {}

    public function deactivate(): void {}

    public function recover(): void {}
}
