<?php

namespace Async;

/** Tasks that are awaited or cancelled together. The group keeps their results. */
final class TaskGroup implements Awaitable, \Countable, \IteratorAggregate
{
    /** $concurrency: tasks that run at a time; null: no limit. $queueLimit: queued tasks before spawn() waits. */
    public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

    public function spawn(callable $task, mixed ...$args): void {}

    public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

    /** A future of all results by key. Fails with a CompositeException if a task failed, unless errors are ignored. */
    public function all(bool $ignoreErrors = false): Future {}

    /** A future of the outcome of the first task that settles. */
    public function race(): Future {}

    /** A future of the result of the first task that succeeds. */
    public function any(): Future {}

    public function getResults(): array {}

    /** @return array<array-key, \Throwable> */
    public function getErrors(): array {}

    /** Marks the errors so far as observed. */
    public function suppressErrors(): void {}

    /** Closes the group and cancels its tasks. */
    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Rejects further tasks. */
    public function close(): void {}

    /** As cancel(). */
    public function dispose(): void {}

    public function isFinished(): bool {}

    public function isClosed(): bool {}

    public function count(): int {}

    /** Waits until all tasks of the closed group have settled. */
    public function awaitCompletion(): void {}

    /** Calls the closure when the group is closed and all tasks have settled. */
    public function finally(\Closure $callback): void {}

    /** Yields [result, error] by key, in the order in which the tasks settle. */
    public function getIterator(): \Iterator {}
}
