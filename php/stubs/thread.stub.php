<?php

namespace Async;

/**
 * A thread with a PHP of its own; spawn_thread() makes it. Needs a thread-safe PHP.
 *
 * @template T
 */
final class Thread implements Completable
{
    /** Not for use: spawn_thread() makes threads. */
    private function __construct() {}

    public function isRunning(): bool {}

    public function isCompleted(): bool {}

    public function isCancelled(): bool {}

    /** @return T|null */
    public function getResult(): mixed {}

    public function getException(): ?\Throwable {}

    public function cancel(?AsyncCancellation $cancellation = null): void {}

    public function finally(\Closure $callback): void {}
}
