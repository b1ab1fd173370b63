<?php

namespace Async;

/**
 * A future of the next such signal.
 *
 * @return Future<Signal>
 */
function signal(Signal $signal, ?Completable $cancellation = null): Future {}

/** Runs a shell command; a future of its output. A timeout of 0 is none. */
function exec(string $command, int $timeout = 0, ?string $cwd = null, ?array $env = null, bool $returnAll = false): Future {}
