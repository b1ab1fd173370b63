<?php

namespace Async;

/**
 * The side of a future that completes it, once.
 *
 * @template T
 */
final class FutureState
{
    public function __construct() {}

    /** @param T $result */
    public function complete(mixed $result): void {}

    public function error(\Throwable $throwable): void {}

    public function isCompleted(): bool {}

    /** Nobody needs to take the error. */
    public function ignore(): void {}

    public function getAwaitingInfo(): array {}

    /** @return array{0: ?string, 1: int} */
    public function getCreatedFileAndLine(): array {}

    public function getCreatedLocation(): string {}

    /** @return array{0: ?string, 1: int} */
    public function getCompletedFileAndLine(): array {}

    public function getCompletedLocation(): string {}
}
