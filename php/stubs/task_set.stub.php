<?php

namespace Async;

/** Tasks whose results leave the set when they are delivered. */
final class TaskSet implements Awaitable, \Countable, \IteratorAggregate
{
    public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

    public function spawn(callable $task, mixed ...$args): void {}

    public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

    /** A future of the next to end, error or not. */
    public function joinNext(): Future {}

    /** A future of the next success. */
    public function joinAny(): Future {}

    /** A future of all results by key; fails with a CompositeException unless errors are ignored. */
    public function joinAll(bool $ignoreErrors = false): Future {}

    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** No more tasks. */
    public function close(): void {}

    public function dispose(): void {}

    public function isFinished(): bool {}

    public function isClosed(): bool {}

    public function count(): int {}

    public function awaitCompletion(): void {}

    public function finally(\Closure $callback): void {}

    /** [result, error] by key, as the tasks end. */
    public function getIterator(): \Iterator {}
}
