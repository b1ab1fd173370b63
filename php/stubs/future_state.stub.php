<?php

namespace Async;

/**
 * Settles a future, once.
 *
 * @template T
 */
final class FutureState
{
    public function __construct() {}

    /**
     * Completes the future with a result.
     *
     * @param T $result
     * @throws AsyncException the future is settled already
     */
    public function complete(mixed $result): void {}

    /**
     * Fails the future with an exception.
     *
     * @throws AsyncException the future is settled already
     */
    public function error(\Throwable $throwable): void {}

    public function isCompleted(): bool {}

    /** Suppresses the warning for an unhandled error. */
    public function ignore(): void {}

    public function getAwaitingInfo(): array {}

    /** @return array{0: ?string, 1: int} */
    public function getCreatedFileAndLine(): array {}

    public function getCreatedLocation(): string {}

    /** @return array{0: ?string, 1: int} */
    public function getCompletedFileAndLine(): array {}

    public function getCompletedLocation(): string {}
}
