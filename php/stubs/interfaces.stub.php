<?php

namespace Async;

/** An object that can be awaited. */
interface Awaitable
{
}

/** An awaitable that completes once. */
interface Completable extends Awaitable
{
    /** Requests cancellation. Waiters get the cancellation as an exception. */
    public function cancel(?AsyncCancellation $cancellation = null): void;

    /** Whether it has completed with a result, an error or a cancellation. */
    public function isCompleted(): bool;

    /** Whether it was cancelled. */
    public function isCancelled(): bool;
}

/** Provides the scope in which spawn_with() starts a coroutine. */
interface ScopeProvider
{
    /** The scope; null: the current scope. */
    public function provideScope(): ?Scope;
}

/** A scope provider with hooks that spawn_with() calls. */
interface SpawnStrategy extends ScopeProvider
{
    /** Called before the coroutine enters the ready queue. */
    public function beforeCoroutineEnqueue(Coroutine $coroutine, Scope $scope): array;

    /** Called after the coroutine has entered the ready queue. */
    public function afterCoroutineEnqueue(Coroutine $coroutine, Scope $scope): void;
}
