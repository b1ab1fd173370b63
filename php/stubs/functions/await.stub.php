<?php

namespace Async;

/** Waits for one object; returns its result or throws its exception. */
function await(Completable $awaitable, ?Completable $cancellation = null): mixed {}

/** Returns the result of the first object that completes, or throws its exception. */
function await_any_or_fail(iterable $triggers, ?Awaitable $cancellation = null): mixed {}

/**
 * Returns the first successful result and the errors before it.
 *
 * @return array{0: mixed, 1: array<array-key, \Throwable>}
 */
function await_first_success(iterable $triggers, ?Awaitable $cancellation = null): array {}

/**
 * Returns all results by key. The first error ends the wait and is thrown.
 *
 * @return array<array-key, mixed>
 */
function await_all_or_fail(iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true): array {}

/**
 * Returns all results and all errors by key. With $fillNull, a failed object has the result null.
 *
 * @return array{0: array<array-key, mixed>, 1: array<array-key, \Throwable>}
 */
function await_all(iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}

/**
 * Returns the first $count results by key. The first error ends the wait and is thrown.
 *
 * @return array<array-key, mixed>
 */
function await_any_of_or_fail(int $count, iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true): array {}

/**
 * Returns the first $count results and the errors until then, by key. With $fillNull, a failed object has the result
 * null.
 *
 * @return array{0: array<array-key, mixed>, 1: array<array-key, \Throwable>}
 */
function await_any_of(int $count, iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}
