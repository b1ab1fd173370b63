<?php

namespace Async;

/** Whatever can be waited for. */
interface Awaitable
{
}

/** What can be waited for and completes once. */
interface Completable extends Awaitable
{
    /** Asks it to end; waiters get the cancellation. */
    public function cancel(?AsyncCancellation $cancellation = null): void;

    /** Whether it is over, in whatever way. */
    public function isCompleted(): bool;

    /** Whether it ended by cancellation. */
    public function isCancelled(): bool;
}

/** Names the scope in which spawn_with() starts a coroutine. */
interface ScopeProvider
{
    /** The scope, or null for the current one. */
    public function provideScope(): ?Scope;
}

/** A provider that is told before and after a coroutine enters the queue. */
interface SpawnStrategy extends ScopeProvider
{
    /** Before the coroutine is queued. */
    public function beforeCoroutineEnqueue(Coroutine $coroutine, Scope $scope): array;

    /** After the coroutine was queued. */
    public function afterCoroutineEnqueue(Coroutine $coroutine, Scope $scope): void;
}
