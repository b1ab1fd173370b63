<?php

namespace Async;

/**
 * A running function that can wait; spawn() makes it.
 *
 * @template T
 */
final class Coroutine implements Completable
{
    /** Not for use: spawn() makes coroutines. */
    private function __construct() {}

    public function getId(): int {}

    /** Runs it before others that are ready. */
    public function asHiPriority(): Coroutine {}

    /** The coroutine's own context. */
    public function getContext(): Context {}

    /**
     * The result, or null while there is none.
     *
     * @return T|null
     */
    public function getResult(): mixed {}

    /** The exception it ended with, or null. */
    public function getException(): ?\Throwable {}

    /** The frames of a suspended coroutine, as debug_backtrace() gives them, or null. */
    public function getTrace(int $options = \DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): ?array {}

    /** @return array{0: ?string, 1: int} */
    public function getSpawnFileAndLine(): array {}

    /** "file:line" of the spawn. */
    public function getSpawnLocation(): string {}

    /** @return array{0: ?string, 1: int} */
    public function getSuspendFileAndLine(): array {}

    /** "file:line" where it waits. */
    public function getSuspendLocation(): string {}

    public function isStarted(): bool {}

    /** Whether it is ready and waits for its turn. */
    public function isQueued(): bool {}

    public function isRunning(): bool {}

    public function isSuspended(): bool {}

    public function isCancelled(): bool {}

    /** Whether a cancellation is asked for and not yet delivered. */
    public function isCancellationRequested(): bool {}

    public function isCompleted(): bool {}

    /** What it waits for, in words. */
    public function getAwaitingInfo(): array {}

    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Calls the closure with the coroutine when it has ended. */
    public function finally(\Closure $callback): void {}
}
