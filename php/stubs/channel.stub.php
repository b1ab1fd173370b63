<?php

namespace Async;

/**
 * Passes values between coroutines, first in, first out; with capacity 0 sender and receiver meet.
 *
 * @template T
 */
final class Channel implements Awaitable, \IteratorAggregate, \Countable
{
    /** The timeouts (milliseconds, 0: none) close the channel when one side waits and the other is missing. */
    public function __construct(int $capacity = 0, int $noProducerTimeout = 0, int $noConsumerTimeout = 0, bool $hardTimeouts = false) {}

    /** Waits for a place, or for a receiver. */
    public function send(mixed $value, ?Completable $cancellationToken = null): void {}

    /** Sends if that needs no wait. */
    public function sendAsync(mixed $value): bool {}

    /** @return T */
    public function recv(?Completable $cancellationToken = null): mixed {}

    /** @return Future<T> */
    public function recvAsync(): Future {}

    /** No more sends; what is in it can still be received. */
    public function close(): void {}

    public function isClosed(): bool {}

    public function capacity(): int {}

    public function count(): int {}

    public function isEmpty(): bool {}

    public function isFull(): bool {}

    /** Receives until the channel is closed and empty. */
    public function getIterator(): \Iterator {}
}
