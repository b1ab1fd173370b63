<?php

namespace Async;

/**
 * Calls the callback with value and key of each element, up to $concurrency at once (0: no limit); `false` stops.
 * It runs in a scope of its own; what the callback spawned is cancelled at the end, or awaited without $cancelPending.
 */
function iterate(iterable $iterable, callable $callback, int $concurrency = 0, bool $cancelPending = true): void {}
