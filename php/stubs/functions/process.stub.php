<?php

namespace Async;

/**
 * A future of the next delivery of the signal. If the token fires first, it fails with the token's error.
 *
 * @return Future<Signal>
 */
function signal(Signal $signal, ?Completable $cancellation = null): Future {}

/**
 * Runs a shell command. After $timeout milliseconds (0: no timeout) the command is killed and the future fails with a
 * TimeoutException. Cancelling the future also kills the command.
 *
 * @param ?array<array-key, string> $env environment as NAME => value; null: that of this process
 * @return Future<array{0: string, 1: int}> the last line of the output (with $returnAll all of it) and the exit code
 */
function exec(string $command, int $timeout = 0, ?string $cwd = null, ?array $env = null, bool $returnAll = false): Future {}
