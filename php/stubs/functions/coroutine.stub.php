<?php

namespace Async;

/** Spawns a coroutine in the current scope. It starts when the current coroutine suspends. */
function spawn(callable $task, mixed ...$args): Coroutine {}

/** Spawns a coroutine in the scope of the provider. */
function spawn_with(ScopeProvider $provider, callable $task, mixed ...$args): Coroutine {}

/** Moves the current coroutine to the end of the ready queue, so that other ready coroutines run. */
function suspend(): void {}

/** Calls the closure and returns its result. A cancellation during the call is delivered after it. */
function protect(\Closure $closure): mixed {}

/** The running coroutine. */
function current_coroutine(): Coroutine {}

/**
 * All coroutines that have not finished.
 *
 * @return Coroutine[]
 */
function get_coroutines(): array {}

/** Cancels every coroutine. The program ends when they have finished. */
function graceful_shutdown(?AsyncCancellation $cancellationError = null): void {}
