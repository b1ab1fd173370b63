<?php

namespace Async;

/**
 * A result that will be there.
 *
 * @template T
 */
final class Future implements Completable
{
    /** A future that has its result. */
    public static function completed(mixed $value = null): Future {}

    /** A future that has failed. */
    public static function failed(\Throwable $throwable): Future {}

    public function __construct(FutureState $state) {}

    public function isCompleted(): bool {}

    public function isCancelled(): bool {}

    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Nobody needs to use it, or to take its error: no warning. */
    public function ignore(): Future {}

    /** A future of what the callable makes of the result. */
    public function map(callable $map): Future {}

    /** A future of what the callable makes of the error. */
    public function catch(callable $catch): Future {}

    /** A future of the same outcome, after the callable, which is called with it: the value or the exception. */
    public function finally(callable $finally): Future {}

    /** @return T */
    public function await(?Completable $cancellation = null): mixed {}

    public function getAwaitingInfo(): array {}

    /** @return array{0: ?string, 1: int} */
    public function getCreatedFileAndLine(): array {}

    public function getCreatedLocation(): string {}

    /** @return array{0: ?string, 1: int} */
    public function getCompletedFileAndLine(): array {}

    public function getCompletedLocation(): string {}
}
