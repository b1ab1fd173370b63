<?php

namespace Async;

/** A cancellation token that fires after a time. Created by timeout(). */
final class Timeout implements Completable
{
    /** Not callable: use timeout(). */
    private function __construct() {}

    /** Fires the token immediately, with the cancellation. */
    public function cancel(?AsyncCancellation $cancellation = null): void {}

    public function isCompleted(): bool {}

    public function isCancelled(): bool {}
}
