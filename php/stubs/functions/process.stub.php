<?php

namespace Async;

/**
 * A future of the next such signal. If the token fires first it fails with the token's error.
 *
 * @return Future<Signal>
 */
function signal(Signal $signal, ?Completable $cancellation = null): Future {}

/**
 * Runs a shell command. The timeout is in milliseconds, 0 is none; when it has passed the command is ended and the future
 * fails with a TimeoutException. Cancelling the future ends the command too.
 *
 * @param ?array<array-key, string> $env NAME => value; null: ours
 * @return Future<array{0: string, 1: int}> the last line of its output – with $returnAll all of it – and the exit code
 */
function exec(string $command, int $timeout = 0, ?string $cwd = null, ?array $env = null, bool $returnAll = false): Future {}
