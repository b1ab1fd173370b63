<?php

namespace Async;

/** Starts a coroutine in the current scope; it first runs when the current one waits. */
function spawn(callable $task, mixed ...$args): Coroutine {}

/** Starts a coroutine in the scope that the provider names. */
function spawn_with(ScopeProvider $provider, callable $task, mixed ...$args): Coroutine {}

/** Lets the other ready coroutines run. */
function suspend(): void {}

/** Runs the closure; a cancellation that comes meanwhile is delivered after it. */
function protect(\Closure $closure): mixed {}

/** The coroutine that is running. */
function current_coroutine(): Coroutine {}

/**
 * All living coroutines.
 *
 * @return Coroutine[]
 */
function get_coroutines(): array {}

/** Cancels every coroutine and lets the program end in good order. */
function graceful_shutdown(?AsyncCancellation $cancellationError = null): void {}
