<?php

namespace Async;

/** A token that ends a wait when its time is up; timeout() makes it. */
final class Timeout implements Completable
{
    /** Not for use: timeout() makes them. */
    private function __construct() {}

    public function cancel(?AsyncCancellation $cancellation = null): void {}

    public function isCompleted(): bool {}

    public function isCancelled(): bool {}
}
