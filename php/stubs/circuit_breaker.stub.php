<?php

namespace Async;

/** The state of a circuit breaker. */
enum CircuitBreakerState
{
    /** Admits all requests (closed). */
    case ACTIVE;
    /** Rejects all requests (open). */
    case INACTIVE;
    /** Admits probe requests (half-open). */
    case RECOVERING;
}

/** A circuit breaker: admits or rejects requests to a service by its state. */
interface CircuitBreaker
{
    /** The current state. */
    public function getState(): CircuitBreakerState;

    /** Switches to ACTIVE. */
    public function activate(): void;

    /** Switches to INACTIVE. */
    public function deactivate(): void;

    /** Switches to RECOVERING. */
    public function recover(): void;
}

/** Decides when a circuit breaker changes its state. */
interface CircuitBreakerStrategy
{
    /** Called after a successful use of the source. reportSuccess() and reportFailure() must not suspend. */
    public function reportSuccess(mixed $source): void;

    /** Called after a failed use of the source. */
    public function reportFailure(mixed $source, \Throwable $error): void;

    /** Returns whether an inactive breaker should start to recover now. May suspend. */
    public function shouldRecover(): bool;
}
