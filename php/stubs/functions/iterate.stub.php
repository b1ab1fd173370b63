<?php

namespace Async;

/**
 * Calls the callback with value and key of each element, at most $concurrency calls concurrently; 0: no limit. If the
 * callback returns false, the iteration stops. It runs in a separate scope. At the end, coroutines that the callback
 * spawned are cancelled, or awaited if $cancelPending is false.
 */
function iterate(iterable $iterable, callable $callback, int $concurrency = 0, bool $cancelPending = true): void {}
