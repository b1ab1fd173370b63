<?php

namespace Async;

/**
 * A channel between threads. Requires a thread-safe PHP.
 *
 * @template T
 */
final class ThreadChannel implements Awaitable, \Countable
{
    public function __construct(int $capacity = 16) {}

    public function send(mixed $value, ?Completable $cancellationToken = null): void {}

    /** @return T */
    public function recv(?Completable $cancellationToken = null): mixed {}

    public function close(): void {}

    public function isClosed(): bool {}

    public function capacity(): int {}

    public function count(): int {}

    public function isEmpty(): bool {}

    public function isFull(): bool {}
}
