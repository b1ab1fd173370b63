<?php

namespace Async;

/** The states of a breaker. */
enum CircuitBreakerState
{
    /** Requests pass. */
    case ACTIVE;
    /** Requests are refused. */
    case INACTIVE;
    /** Requests pass on probation. */
    case RECOVERING;
}

/** How the state of a service changes. */
interface CircuitBreaker
{
    /** The state now. */
    public function getState(): CircuitBreakerState;

    /** The service is available. */
    public function activate(): void;

    /** The service is not available. */
    public function deactivate(): void;

    /** The service is on probation. */
    public function recover(): void;
}

/** When the state of a service changes. */
interface CircuitBreakerStrategy
{
    /** A use of the source went well. */
    public function reportSuccess(mixed $source): void;

    /** A use of the source failed. */
    public function reportFailure(mixed $source, \Throwable $error): void;

    /** Whether to try again now. */
    public function shouldRecover(): bool;
}
