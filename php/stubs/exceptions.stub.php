<?php

namespace Async;

/** Every coroutine waits for what only another one could bring. */
class DeadlockError extends \Error
{
}

/** The base of this extension's own exceptions. */
class AsyncException extends \Exception
{
}

/** The breaker refuses requests. */
class ServiceUnavailableException extends AsyncException
{
}

/** The channel is closed. */
class ChannelException extends AsyncException
{
    /** Why it is closed. */
    public ChannelCloseReason $reason;
}

/** The pool is closed, or no resource came in time. */
class PoolException extends AsyncException
{
}

/** A context has no such key, or has it already. */
class ContextException extends AsyncException
{
}

/** Input or output failed. */
class InputOutputException extends \Exception
{
}

/** A name could not be resolved. */
class DnsException extends \Exception
{
}

/** Time is up. */
class TimeoutException extends \Exception
{
}

/** Waiting for a descriptor failed. */
class PollException extends \Exception
{
}

/** Several exceptions in one. */
final class CompositeException extends \Exception
{
    /** Adds one more. */
    public function addException(\Throwable $exception): void {}

    /**
     * All of them, in the order they came.
     *
     * @return \Throwable[]
     */
    public function getExceptions(): array {}
}
