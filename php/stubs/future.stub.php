<?php

namespace Async;

/**
 * A result that may not be available yet.
 *
 * @template T
 */
final class Future implements Completable
{
    /** A future that is completed with the value. */
    public static function completed(mixed $value = null): Future {}

    /** A future that has failed with the exception. */
    public static function failed(\Throwable $throwable): Future {}

    public function __construct(FutureState $state) {}

    public function isCompleted(): bool {}

    public function isCancelled(): bool {}

    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Suppresses the warnings for an unused future and for an unhandled error. */
    public function ignore(): Future {}

    /** A future of the callable's return value; the callable gets the result. */
    public function map(callable $map): Future {}

    /** A future of the callable's return value; the callable gets the exception if this future fails. */
    public function catch(callable $catch): Future {}

    /** A future of the same outcome that settles after the callable, which gets the value or the exception. */
    public function finally(callable $finally): Future {}

    /**
     * Waits for the result.
     *
     * @return T
     */
    public function await(?Completable $cancellation = null): mixed {}

    public function getAwaitingInfo(): array {}

    /** @return array{0: ?string, 1: int} */
    public function getCreatedFileAndLine(): array {}

    public function getCreatedLocation(): string {}

    /** @return array{0: ?string, 1: int} */
    public function getCompletedFileAndLine(): array {}

    public function getCompletedLocation(): string {}
}
