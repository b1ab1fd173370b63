<?php

namespace Async;

/**
 * A coroutine. Created by spawn().
 *
 * @template T
 */
final class Coroutine implements Completable
{
    /** Not callable: use spawn(). */
    private function __construct() {}

    public function getId(): int {}

    /** Gives the coroutine priority over other ready coroutines. */
    public function asHiPriority(): Coroutine {}

    /** The coroutine's own context. */
    public function getContext(): Context {}

    /**
     * The result; null if the coroutine has not returned.
     *
     * @return T|null
     */
    public function getResult(): mixed {}

    /** The exception or cancellation that ended the coroutine, or null. */
    public function getException(): ?\Throwable {}

    /** The stack of a suspended coroutine in the format of debug_backtrace(); null in other states. */
    public function getTrace(int $options = \DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): ?array {}

    /**
     * The location of the spawn.
     *
     * @return array{0: ?string, 1: int}
     */
    public function getSpawnFileAndLine(): array {}

    /** The location of the spawn, as "file:line". */
    public function getSpawnLocation(): string {}

    /**
     * The location of the last suspension.
     *
     * @return array{0: ?string, 1: int}
     */
    public function getSuspendFileAndLine(): array {}

    /** The location of the last suspension, as "file:line". */
    public function getSuspendLocation(): string {}

    public function isStarted(): bool {}

    /** Whether it is in the ready queue. */
    public function isQueued(): bool {}

    public function isRunning(): bool {}

    public function isSuspended(): bool {}

    public function isCancelled(): bool {}

    /** Whether cancellation was requested and not delivered yet. */
    public function isCancellationRequested(): bool {}

    public function isCompleted(): bool {}

    /** Describes, as text, the events that the coroutine waits for. */
    public function getAwaitingInfo(): array {}

    /** Requests cancellation; its next suspension point throws the cancellation. */
    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Calls the closure with the coroutine when the coroutine has finished. */
    public function finally(\Closure $callback): void {}
}
