<?php

namespace Async;

/** Waits for one; returns its result or throws its exception. */
function await(Completable $awaitable, ?Completable $cancellation = null): mixed {}

/** The result of the first to finish; throws its exception if it failed. */
function await_any_or_fail(iterable $triggers, ?Awaitable $cancellation = null): mixed {}

/**
 * The first success and the errors that came before it.
 *
 * @return array{0: mixed, 1: array<array-key, \Throwable>}
 */
function await_first_success(iterable $triggers, ?Awaitable $cancellation = null): array {}

/**
 * All results; the first error ends the wait and is thrown.
 *
 * @return array<array-key, mixed>
 */
function await_all_or_fail(iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true): array {}

/**
 * All results and all errors, by key.
 *
 * @return array{0: array<array-key, mixed>, 1: array<array-key, \Throwable>}
 */
function await_all(iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}

/**
 * The first $count results; an error ends the wait and is thrown.
 *
 * @return array<array-key, mixed>
 */
function await_any_of_or_fail(int $count, iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true): array {}

/**
 * The first $count results and the errors up to then, by key.
 *
 * @return array{0: array<array-key, mixed>, 1: array<array-key, \Throwable>}
 */
function await_any_of(int $count, iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}
