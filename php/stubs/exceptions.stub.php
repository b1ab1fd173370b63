<?php

namespace Async;

/** No coroutine is ready and no event can wake one: every coroutine waits for another one. */
class DeadlockError extends \Error
{
}

/** The base of most exceptions of this extension. */
class AsyncException extends \Exception
{
}

/** The circuit breaker rejects the request. */
class ServiceUnavailableException extends AsyncException
{
}

/** The channel is closed. */
class ChannelException extends AsyncException
{
    /** Why the channel is closed. */
    public ChannelCloseReason $reason;
}

/** The pool is closed, or a resource was released that is not acquired from it. */
class PoolException extends AsyncException
{
}

/** The context has no such key, or already has it. */
class ContextException extends AsyncException
{
}

/** An I/O operation failed. */
class InputOutputException extends \Exception
{
}

/** A name could not be resolved. */
class DnsException extends \Exception
{
}

/** A timeout expired. */
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
    /** Adds an exception. */
    public function addException(\Throwable $exception): void {}

    /**
     * The exceptions in the order in which they were added.
     *
     * @return \Throwable[]
     */
    public function getExceptions(): array {}
}
