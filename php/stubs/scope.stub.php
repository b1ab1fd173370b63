<?php

namespace Async;

/**
 * Owns coroutines: cancel() and dispose() apply to its coroutines and to those of its child scopes. A zombie is a
 * coroutine that outlives its disposed scope.
 */
final class Scope implements ScopeProvider
{
    /** Creates a child of the given scope or of the current scope. */
    public static function inherit(?Scope $parentScope = null): Scope {}

    /** Creates a scope without a parent. */
    public function __construct() {}

    public function provideScope(): Scope {}

    /** dispose() and the destruction of the scope object cancel the coroutines. */
    public function asNotSafely(): Scope {}

    /** dispose() and the destruction of the scope object let the coroutines continue as zombies. */
    public function allowZombies(): Scope {}

    /** Spawns a coroutine in this scope. */
    public function spawn(\Closure $callable, mixed ...$params): Coroutine {}

    /** Closes the scope and cancels its coroutines and those of its child scopes. */
    public function cancel(?AsyncCancellation $cancellationError = null): void {}

    /** Waits until no coroutine of the scope is active; zombies do not count. */
    public function awaitCompletion(?Awaitable $cancellation = null): void {}

    /** After cancel(): waits until every coroutine has finished, zombies included. The handler gets their errors. */
    public function awaitAfterCancellation(?callable $errorHandler = null, ?Awaitable $cancellation = null): void {}

    public function isFinished(): bool {}

    public function isClosed(): bool {}

    public function isCancelled(): bool {}

    /**
     * Sets the handler of unobserved errors of this scope's coroutines. It gets scope, coroutine and exception. If it
     * has only one parameter, or its first parameter does not accept a Scope, it gets exception, coroutine and scope.
     */
    public function setExceptionHandler(callable $exceptionHandler): void {}

    /** The same for errors of child scopes. */
    public function setChildScopeExceptionHandler(callable $exceptionHandler): void {}

    /** Calls the closure with the scope when the scope is closed and every coroutine has finished. */
    public function finally(\Closure $callback): void {}

    /** Closes the scope and cancels its coroutines; after allowZombies() they continue as zombies. */
    public function dispose(): void {}

    /** Closes the scope; its coroutines continue as zombies, or are cancelled after asNotSafely(). */
    public function disposeSafely(): void {}

    /** Disposes the scope after $timeout milliseconds: closes it and cancels its coroutines. */
    public function disposeAfterTimeout(int $timeout): void {}

    /** @return Scope[] */
    public function getChildScopes(): array {}
}
