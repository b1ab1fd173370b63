<?php

namespace Async;

/** Worker threads with a common task queue. Requires a thread-safe PHP. */
final class ThreadPool
{
    public function __construct(
        int $workers = 0,
        int $queueSize = 0,
        ?\Closure $bootloader = null,
        bool $coroutine = false,
        int $concurrency = 0
    ) {}

    public function submit(callable $task, mixed ...$args): Future {}

    public function map(array $items, callable $task): array {}

    public function close(): void {}

    public function cancel(): void {}

    public function isClosed(): bool {}

    public function getPendingCount(): int {}

    public function getRunningCount(): int {}

    public function getCompletedCount(): int {}

    public function getWorkerCount(): int {}
}
