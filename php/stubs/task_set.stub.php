<?php

namespace Async;

/** Tasks that are removed from the set when their outcome is delivered. */
final class TaskSet implements Awaitable, \Countable, \IteratorAggregate
{
    /** $concurrency: tasks that run at a time; null: no limit. $queueLimit: queued tasks before spawn() waits. */
    public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

    public function spawn(callable $task, mixed ...$args): void {}

    public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

    /** A future of the outcome of the next task that settles. */
    public function joinNext(): Future {}

    /** A future of the result of the next task that succeeds. */
    public function joinAny(): Future {}

    /** A future of all results by key. Fails with a CompositeException if a task failed, unless errors are ignored. */
    public function joinAll(bool $ignoreErrors = false): Future {}

    /** Closes the set and cancels its tasks. */
    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Rejects further tasks. */
    public function close(): void {}

    /** As cancel(). */
    public function dispose(): void {}

    public function isFinished(): bool {}

    public function isClosed(): bool {}

    public function count(): int {}

    /** Waits until all tasks of the closed set have settled. */
    public function awaitCompletion(): void {}

    /** Calls the closure when the set is closed and all tasks have settled. */
    public function finally(\Closure $callback): void {}

    /** Yields [result, error] by key, in the order in which the tasks settle. */
    public function getIterator(): \Iterator {}
}
