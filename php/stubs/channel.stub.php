<?php

namespace Async;

/**
 * A FIFO queue of values between coroutines. With capacity 0, send() waits until a receiver takes the value.
 *
 * @template T
 */
final class Channel implements Awaitable, \IteratorAggregate, \Countable
{
    /**
     * The timeouts, in milliseconds, close the channel if a receiver waits without a sender ($noProducerTimeout) or a
     * sender without a receiver ($noConsumerTimeout); 0: none. With $hardTimeouts they keep the program alive.
     */
    public function __construct(int $capacity = 0, int $noProducerTimeout = 0, int $noConsumerTimeout = 0, bool $hardTimeouts = false) {}

    /** Waits for space in the buffer, or for a receiver. */
    public function send(mixed $value, ?Completable $cancellationToken = null): void {}

    /** Sends without waiting; false if that is not possible now. */
    public function sendAsync(mixed $value): bool {}

    /**
     * Waits for a value.
     *
     * @return T
     * @throws ChannelException the channel is closed and empty
     */
    public function recv(?Completable $cancellationToken = null): mixed {}

    /** @return Future<T> */
    public function recvAsync(): Future {}

    /** Rejects further sends. Buffered values can still be received. */
    public function close(): void {}

    public function isClosed(): bool {}

    public function capacity(): int {}

    public function count(): int {}

    public function isEmpty(): bool {}

    public function isFull(): bool {}

    /** Receives until the channel is closed and empty. */
    public function getIterator(): \Iterator {}
}
