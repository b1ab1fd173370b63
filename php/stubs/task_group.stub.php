<?php

namespace Async;

/** Tasks that are awaited or cancelled together; results are kept. */
final class TaskGroup implements Awaitable, \Countable, \IteratorAggregate
{
    public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

    public function spawn(callable $task, mixed ...$args): void {}

    public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

    /** A future of all results by key; fails with a CompositeException unless errors are ignored. */
    public function all(bool $ignoreErrors = false): Future {}

    /** A future of the first to end, error or not. */
    public function race(): Future {}

    /** A future of the first success. */
    public function any(): Future {}

    public function getResults(): array {}

    /** @return array<array-key, \Throwable> */
    public function getErrors(): array {}

    /** The errors count as taken. */
    public function suppressErrors(): void {}

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
