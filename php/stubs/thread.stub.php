<?php

namespace Async;

/**
 * A thread with a separate PHP engine. Created by spawn_thread(). Requires a thread-safe PHP.
 *
 * @template T
 */
final class Thread implements Completable
{
    /** Not callable: use spawn_thread(). */
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
