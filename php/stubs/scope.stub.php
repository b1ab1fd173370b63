<?php

namespace Async;

/** Owns coroutines: cancelling or disposing it reaches all of them and those of the scopes below. */
final class Scope implements ScopeProvider
{
    /** A scope below the given one, or below the current one. */
    public static function inherit(?Scope $parentScope = null): Scope {}

    /** A scope without a parent. */
    public function __construct() {}

    public function provideScope(): Scope {}

    /** Its end cancels what still runs. */
    public function asNotSafely(): Scope {}

    /** Its end lets what still runs go on as zombies. */
    public function allowZombies(): Scope {}

    /** Starts a coroutine in this scope. */
    public function spawn(\Closure $callable, mixed ...$params): Coroutine {}

    /** Cancels all coroutines here and below, and closes the scope. */
    public function cancel(?AsyncCancellation $cancellationError = null): void {}

    /** Waits until no active coroutine is left. */
    public function awaitCompletion(?Awaitable $cancellation = null): void {}

    /** Waits, after cancel(), until every coroutine is over, zombies too; their errors go to the handler. */
    public function awaitAfterCancellation(?callable $errorHandler = null, ?Awaitable $cancellation = null): void {}

    public function isFinished(): bool {}

    public function isClosed(): bool {}

    public function isCancelled(): bool {}

    /**
     * Called with scope, coroutine and exception when a coroutine here fails and nobody takes it; with the exception
     * first if the first parameter takes nothing else, or if there is only one.
     */
    public function setExceptionHandler(callable $exceptionHandler): void {}

    /** The same for coroutines of the scopes below. */
    public function setChildScopeExceptionHandler(callable $exceptionHandler): void {}

    /** Calls the closure with the scope when it has ended. */
    public function finally(\Closure $callback): void {}

    /** Closes the scope and cancels what runs; after allowZombies() that goes on. */
    public function dispose(): void {}

    /** Closes the scope; what runs goes on as zombies, unless asNotSafely() was said. */
    public function disposeSafely(): void {}

    /** Closes the scope, and cancels what still runs after so many milliseconds. */
    public function disposeAfterTimeout(int $timeout): void {}

    /** @return Scope[] */
    public function getChildScopes(): array {}
}
