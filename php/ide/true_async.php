<?php

// Made by php/tools/generate.php from php/stubs; change the stubs, not this file.
// For editors and analyzers; never loaded at run time.

namespace {
    /** The base of cancellations. Neither Error nor Exception, so a `catch` for these does not catch it. */
    class Cancellation implements \Throwable
    {
        protected $message = '';
        private string $string = '';
        protected $code = 0;
        protected string $file = '';
        protected int $line = 0;
        private array $trace = [];
        private ?\Throwable $previous = null;

        public function __construct(string $message = '', int $code = 0, ?\Throwable $previous = null) {}

        final public function getMessage(): string {}

        /** @return int */
        final public function getCode() {}

        final public function getFile(): string {}

        final public function getLine(): int {}

        final public function getTrace(): array {}

        final public function getPrevious(): ?\Throwable {}

        final public function getTraceAsString(): string {}

        public function __toString(): string {}
    }
}

namespace Async {
    /** Thrown at the suspension point of a cancelled coroutine. */
    class AsyncCancellation extends \Cancellation
    {
    }

    /** The cancellation token of a wait has fired. The previous exception is the cause. */
    class OperationCanceledException extends AsyncCancellation
    {
    }
}

namespace Async {
    /**
     * A FIFO queue of values between coroutines. With capacity 0, send() waits until a receiver takes the value.
     *
     * @template T
     */
    final class Channel implements Awaitable, \IteratorAggregate, \Countable
    {
        /**
         * The timeouts, in milliseconds, close the channel if a receiver waits without a sender ($noProducerTimeout) or a
         * sender without a receiver ($noConsumerTimeout); 0: none. With $hardTimeouts they keep the program alive.
         */
        public function __construct(int $capacity = 0, int $noProducerTimeout = 0, int $noConsumerTimeout = 0, bool $hardTimeouts = false) {}

        /** Waits for space in the buffer, or for a receiver. */
        public function send(mixed $value, ?Completable $cancellationToken = null): void {}

        /** Sends without waiting; false if that is not possible now. */
        public function sendAsync(mixed $value): bool {}

        /**
         * Waits for a value.
         *
         * @return T
         * @throws ChannelException the channel is closed and empty
         */
        public function recv(?Completable $cancellationToken = null): mixed {}

        /** @return Future<T> */
        public function recvAsync(): Future {}

        /** Rejects further sends. Buffered values can still be received. */
        public function close(): void {}

        public function isClosed(): bool {}

        public function capacity(): int {}

        public function count(): int {}

        public function isEmpty(): bool {}

        public function isFull(): bool {}

        /** Receives until the channel is closed and empty. */
        public function getIterator(): \Iterator {}
    }
}

namespace Async {
    /** Why a channel is closed. */
    enum ChannelCloseReason: string
    {
        case EXPLICIT = 'explicit';
        case DISPOSED = 'disposed';
        case NO_PRODUCERS = 'no producers timeout';
        case NO_CONSUMERS = 'no consumers timeout';
        case DEADLOCK = 'deadlock';
        case SCOPE_DISPOSED = 'scope disposed';
    }
}

namespace Async {
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
}

namespace Async {
    /** Values by key, of a scope or a coroutine. A lookup continues in the parent scopes. */
    final class Context
    {
        /** Not callable: contexts come from scopes, coroutines and the *_context() functions. */
        private function __construct() {}

        /** The value of the key in this context or a parent; null if there is none. */
        public function find(string|object $key): mixed {}

        /**
         * The value of the key in this context or a parent.
         *
         * @throws ContextException there is no such key
         */
        public function get(string|object $key): mixed {}

        public function has(string|object $key): bool {}

        /** As find(), but only in this context. */
        public function findLocal(string|object $key): mixed {}

        /** As get(), but only in this context. */
        public function getLocal(string|object $key): mixed {}

        /** As has(), but only in this context. */
        public function hasLocal(string|object $key): bool {}

        /**
         * Sets a value in this context.
         *
         * @throws ContextException the key exists in this context and $replace is false
         */
        public function set(string|object $key, mixed $value, bool $replace = false): Context {}

        public function unset(string|object $key): Context {}
    }
}

namespace Async {
    /**
     * A coroutine. Created by spawn().
     *
     * @template T
     */
    final class Coroutine implements Completable
    {
        /** Not callable: use spawn(). */
        private function __construct() {}

        public function getId(): int {}

        /** Gives the coroutine priority over other ready coroutines. */
        public function asHiPriority(): Coroutine {}

        /** The coroutine's own context. */
        public function getContext(): Context {}

        /**
         * The result; null if the coroutine has not returned.
         *
         * @return T|null
         */
        public function getResult(): mixed {}

        /** The exception or cancellation that ended the coroutine, or null. */
        public function getException(): ?\Throwable {}

        /** The stack of a suspended coroutine in the format of debug_backtrace(); null in other states. */
        public function getTrace(int $options = \DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): ?array {}

        /**
         * The location of the spawn.
         *
         * @return array{0: ?string, 1: int}
         */
        public function getSpawnFileAndLine(): array {}

        /** The location of the spawn, as "file:line". */
        public function getSpawnLocation(): string {}

        /**
         * The location of the last suspension.
         *
         * @return array{0: ?string, 1: int}
         */
        public function getSuspendFileAndLine(): array {}

        /** The location of the last suspension, as "file:line". */
        public function getSuspendLocation(): string {}

        public function isStarted(): bool {}

        /** Whether it is in the ready queue. */
        public function isQueued(): bool {}

        public function isRunning(): bool {}

        public function isSuspended(): bool {}

        public function isCancelled(): bool {}

        /** Whether cancellation was requested and not delivered yet. */
        public function isCancellationRequested(): bool {}

        public function isCompleted(): bool {}

        /** Describes, as text, the events that the coroutine waits for. */
        public function getAwaitingInfo(): array {}

        /** Requests cancellation; its next suspension point throws the cancellation. */
        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** Calls the closure with the coroutine when the coroutine has finished. */
        public function finally(\Closure $callback): void {}
    }
}

namespace Async {
    /** CPU time counters in nanoseconds at one point in time. The difference of two snapshots is the usage between them. */
    final class CpuSnapshot
    {
        public readonly int $wallNs;
        public readonly int $processUserNs;
        public readonly int $processSystemNs;
        public readonly int $systemIdleNs;
        public readonly int $systemBusyNs;
        public readonly int $cpuCount;

        /** Not callable: use now(). */
        private function __construct() {}

        public static function now(): CpuSnapshot {}
    }
}

namespace Async {
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
}

namespace Async {
    /** A change that a FileSystemWatcher reports. */
    final class FileSystemEvent
    {
        /** The watched path. */
        public readonly string $path;
        /** The changed file, relative to the path; null if unknown. */
        public readonly ?string $filename;
        /** The file was created, deleted or renamed. */
        public readonly bool $renamed;
        /** The file was written to. */
        public readonly bool $changed;

        /** Not callable: events come from a FileSystemWatcher. */
        private function __construct() {}
    }

    /** Watches a file or directory from its construction until close(). foreach yields the events. */
    final class FileSystemWatcher implements Awaitable, \IteratorAggregate
    {
        public function __construct(
            string $path,
            bool $recursive = false,
            bool $coalesce = true,
            int $debounceMs = 0,
            int $maxHoldMs = 0,
            array $extensions = []
        ) {}

        public function close(): void {}

        public function isClosed(): bool {}

        /** @return \Iterator<int, FileSystemEvent> */
        public function getIterator(): \Iterator {}
    }
}

namespace Async {
    /**
     * A result that may not be available yet.
     *
     * @template T
     */
    final class Future implements Completable
    {
        /** A future that is completed with the value. */
        public static function completed(mixed $value = null): Future {}

        /** A future that has failed with the exception. */
        public static function failed(\Throwable $throwable): Future {}

        public function __construct(FutureState $state) {}

        public function isCompleted(): bool {}

        public function isCancelled(): bool {}

        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** Suppresses the warnings for an unused future and for an unhandled error. */
        public function ignore(): Future {}

        /** A future of the callable's return value; the callable gets the result. */
        public function map(callable $map): Future {}

        /** A future of the callable's return value; the callable gets the exception if this future fails. */
        public function catch(callable $catch): Future {}

        /** A future of the same outcome that settles after the callable, which gets the value or the exception. */
        public function finally(callable $finally): Future {}

        /**
         * Waits for the result.
         *
         * @return T
         */
        public function await(?Completable $cancellation = null): mixed {}

        public function getAwaitingInfo(): array {}

        /** @return array{0: ?string, 1: int} */
        public function getCreatedFileAndLine(): array {}

        public function getCreatedLocation(): string {}

        /** @return array{0: ?string, 1: int} */
        public function getCompletedFileAndLine(): array {}

        public function getCompletedLocation(): string {}
    }
}

namespace Async {
    /**
     * Settles a future, once.
     *
     * @template T
     */
    final class FutureState
    {
        public function __construct() {}

        /**
         * Completes the future with a result.
         *
         * @param T $result
         * @throws AsyncException the future is settled already
         */
        public function complete(mixed $result): void {}

        /**
         * Fails the future with an exception.
         *
         * @throws AsyncException the future is settled already
         */
        public function error(\Throwable $throwable): void {}

        public function isCompleted(): bool {}

        /** Suppresses the warning for an unhandled error. */
        public function ignore(): void {}

        public function getAwaitingInfo(): array {}

        /** @return array{0: ?string, 1: int} */
        public function getCreatedFileAndLine(): array {}

        public function getCreatedLocation(): string {}

        /** @return array{0: ?string, 1: int} */
        public function getCompletedFileAndLine(): array {}

        public function getCompletedLocation(): string {}
    }
}

namespace Async {
    /** An object that can be awaited. */
    interface Awaitable
    {
    }

    /** An awaitable that completes once. */
    interface Completable extends Awaitable
    {
        /** Requests cancellation. Waiters get the cancellation as an exception. */
        public function cancel(?AsyncCancellation $cancellation = null): void;

        /** Whether it has completed with a result, an error or a cancellation. */
        public function isCompleted(): bool;

        /** Whether it was cancelled. */
        public function isCancelled(): bool;
    }

    /** Provides the scope in which spawn_with() starts a coroutine. */
    interface ScopeProvider
    {
        /** The scope; null: the current scope. */
        public function provideScope(): ?Scope;
    }

    /** A scope provider with hooks that spawn_with() calls. */
    interface SpawnStrategy extends ScopeProvider
    {
        /** Called before the coroutine enters the ready queue. */
        public function beforeCoroutineEnqueue(Coroutine $coroutine, Scope $scope): array;

        /** Called after the coroutine has entered the ready queue. */
        public function afterCoroutineEnqueue(Coroutine $coroutine, Scope $scope): void;
    }
}

namespace Async {
    /**
     * Manages up to $max resources and creates them on demand. Waiters get resources in FIFO order.
     *
     * The callables may suspend, except $beforeAcquire in tryAcquire(). $healthcheck, $beforeAcquire and $beforeRelease
     * reject a resource by returning a falsy value other than null. $factory must not return null. The method that calls
     * a callable throws its exceptions. $healthcheckInterval is in milliseconds; 0: no periodic checks.
     *
     * @template T
     */
    final class Pool implements \Countable, CircuitBreaker
    {
        public function __construct(
            callable $factory,
            ?callable $destructor = null,
            ?callable $healthcheck = null,
            ?callable $beforeAcquire = null,
            ?callable $beforeRelease = null,
            int $min = 0,
            int $max = 10,
            int $healthcheckInterval = 0
        ) {}

        /**
         * Waits for a resource for at most $timeout milliseconds; 0: no timeout. The message of the TimeoutException names
         * the holders of the resources.
         *
         * @return T
         * @throws PoolException the pool is closed
         * @throws ServiceUnavailableException the circuit breaker rejects the request
         * @throws TimeoutException
         */
        public function acquire(int $timeout = 0): mixed {}

        /**
         * An idle or a new resource; null if none is idle and the pool has reached $max.
         *
         * @return T|null
         */
        public function tryAcquire(): mixed {}

        /**
         * Returns a resource to the pool.
         *
         * @param T $resource
         * @throws PoolException the resource is not acquired from this pool
         */
        public function release(mixed $resource): void {}

        /** Rejects further calls, fails the waiters and destroys idle resources. */
        public function close(): void {}

        public function isClosed(): bool {}

        /** The number of resources. */
        public function count(): int {}

        /** The number of idle resources. */
        public function idleCount(): int {}

        /** The number of acquired resources. */
        public function activeCount(): int {}

        public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void {}

        public function getState(): CircuitBreakerState {}

        public function activate(): void {}

        public function deactivate(): void {}

        public function recover(): void {}
    }
}

namespace Async {
    /**
     * Owns coroutines: cancel() and dispose() apply to its coroutines and to those of its child scopes. A zombie is a
     * coroutine that outlives its disposed scope.
     */
    final class Scope implements ScopeProvider
    {
        /** Creates a child of the given scope or of the current scope. */
        public static function inherit(?Scope $parentScope = null): Scope {}

        /** Creates a scope without a parent. */
        public function __construct() {}

        public function provideScope(): Scope {}

        /** dispose() and the destruction of the scope object cancel the coroutines. */
        public function asNotSafely(): Scope {}

        /** dispose() and the destruction of the scope object let the coroutines continue as zombies. */
        public function allowZombies(): Scope {}

        /** Spawns a coroutine in this scope. */
        public function spawn(\Closure $callable, mixed ...$params): Coroutine {}

        /** Closes the scope and cancels its coroutines and those of its child scopes. */
        public function cancel(?AsyncCancellation $cancellationError = null): void {}

        /** Waits until no coroutine of the scope is active; zombies do not count. */
        public function awaitCompletion(?Awaitable $cancellation = null): void {}

        /** After cancel(): waits until every coroutine has finished, zombies included. The handler gets their errors. */
        public function awaitAfterCancellation(?callable $errorHandler = null, ?Awaitable $cancellation = null): void {}

        public function isFinished(): bool {}

        public function isClosed(): bool {}

        public function isCancelled(): bool {}

        /**
         * Sets the handler of unobserved errors of this scope's coroutines. It gets scope, coroutine and exception. If it
         * has only one parameter, or its first parameter does not accept a Scope, it gets exception, coroutine and scope.
         */
        public function setExceptionHandler(callable $exceptionHandler): void {}

        /** The same for errors of child scopes. */
        public function setChildScopeExceptionHandler(callable $exceptionHandler): void {}

        /** Calls the closure with the scope when the scope is closed and every coroutine has finished. */
        public function finally(\Closure $callback): void {}

        /** Closes the scope and cancels its coroutines; after allowZombies() they continue as zombies. */
        public function dispose(): void {}

        /** Closes the scope; its coroutines continue as zombies, or are cancelled after asNotSafely(). */
        public function disposeSafely(): void {}

        /** Disposes the scope after $timeout milliseconds: closes it and cancels its coroutines. */
        public function disposeAfterTimeout(int $timeout): void {}

        /** @return Scope[] */
        public function getChildScopes(): array {}
    }
}

namespace Async {
    /** The signals that signal() can wait for. */
    enum Signal: int
    {
        case SIGHUP = 1;
        case SIGINT = 2;
        case SIGQUIT = 3;
        case SIGILL = 4;
        case SIGABRT = 6;
        case SIGFPE = 8;
        case SIGKILL = 9;
        case SIGUSR1 = 10;
        case SIGSEGV = 11;
        case SIGUSR2 = 12;
        case SIGTERM = 15;
        case SIGBREAK = 21;
        case SIGABRT2 = 22;
        case SIGWINCH = 28;
    }
}

namespace Async {
    /** Tasks that are awaited or cancelled together. The group keeps their results. */
    final class TaskGroup implements Awaitable, \Countable, \IteratorAggregate
    {
        /** $concurrency: tasks that run at a time; null: no limit. $queueLimit: queued tasks before spawn() waits. */
        public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

        public function spawn(callable $task, mixed ...$args): void {}

        public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

        /** A future of all results by key. Fails with a CompositeException if a task failed, unless errors are ignored. */
        public function all(bool $ignoreErrors = false): Future {}

        /** A future of the outcome of the first task that settles. */
        public function race(): Future {}

        /** A future of the result of the first task that succeeds. */
        public function any(): Future {}

        public function getResults(): array {}

        /** @return array<array-key, \Throwable> */
        public function getErrors(): array {}

        /** Marks the errors so far as observed. */
        public function suppressErrors(): void {}

        /** Closes the group and cancels its tasks. */
        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** Rejects further tasks. */
        public function close(): void {}

        /** As cancel(). */
        public function dispose(): void {}

        public function isFinished(): bool {}

        public function isClosed(): bool {}

        public function count(): int {}

        /** Waits until all tasks of the closed group have settled. */
        public function awaitCompletion(): void {}

        /** Calls the closure when the group is closed and all tasks have settled. */
        public function finally(\Closure $callback): void {}

        /** Yields [result, error] by key, in the order in which the tasks settle. */
        public function getIterator(): \Iterator {}
    }
}

namespace Async {
    /** Tasks that are removed from the set when their outcome is delivered. */
    final class TaskSet implements Awaitable, \Countable, \IteratorAggregate
    {
        /** $concurrency: tasks that run at a time; null: no limit. $queueLimit: queued tasks before spawn() waits. */
        public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

        public function spawn(callable $task, mixed ...$args): void {}

        public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

        /** A future of the outcome of the next task that settles. */
        public function joinNext(): Future {}

        /** A future of the result of the next task that succeeds. */
        public function joinAny(): Future {}

        /** A future of all results by key. Fails with a CompositeException if a task failed, unless errors are ignored. */
        public function joinAll(bool $ignoreErrors = false): Future {}

        /** Closes the set and cancels its tasks. */
        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** Rejects further tasks. */
        public function close(): void {}

        /** As cancel(). */
        public function dispose(): void {}

        public function isFinished(): bool {}

        public function isClosed(): bool {}

        public function count(): int {}

        /** Waits until all tasks of the closed set have settled. */
        public function awaitCompletion(): void {}

        /** Calls the closure when the set is closed and all tasks have settled. */
        public function finally(\Closure $callback): void {}

        /** Yields [result, error] by key, in the order in which the tasks settle. */
        public function getIterator(): \Iterator {}
    }
}

namespace Async {
    /**
     * A thread with a separate PHP engine. Created by spawn_thread(). Requires a thread-safe PHP.
     *
     * @template T
     */
    final class Thread implements Completable
    {
        /** Not callable: use spawn_thread(). */
        private function __construct() {}

        public function isRunning(): bool {}

        public function isCompleted(): bool {}

        public function isCancelled(): bool {}

        /** @return T|null */
        public function getResult(): mixed {}

        public function getException(): ?\Throwable {}

        public function cancel(?AsyncCancellation $cancellation = null): void {}

        public function finally(\Closure $callback): void {}
    }
}

namespace Async {
    /**
     * A channel between threads. Requires a thread-safe PHP.
     *
     * @template T
     */
    final class ThreadChannel implements Awaitable, \Countable
    {
        public function __construct(int $capacity = 16) {}

        public function send(mixed $value, ?Completable $cancellationToken = null): void {}

        /** @return T */
        public function recv(?Completable $cancellationToken = null): mixed {}

        public function close(): void {}

        public function isClosed(): bool {}

        public function capacity(): int {}

        public function count(): int {}

        public function isEmpty(): bool {}

        public function isFull(): bool {}
    }
}

namespace Async {
    /** Worker threads with a common task queue. Requires a thread-safe PHP. */
    final class ThreadPool
    {
        public function __construct(
            int $workers = 0,
            int $queueSize = 0,
            ?\Closure $bootloader = null,
            bool $coroutine = false,
            int $concurrency = 0
        ) {}

        public function submit(callable $task, mixed ...$args): Future {}

        public function map(array $items, callable $task): array {}

        public function close(): void {}

        public function cancel(): void {}

        public function isClosed(): bool {}

        public function getPendingCount(): int {}

        public function getRunningCount(): int {}

        public function getCompletedCount(): int {}

        public function getWorkerCount(): int {}
    }
}

namespace Async {
    /** A cancellation token that fires after a time. Created by timeout(). */
    final class Timeout implements Completable
    {
        /** Not callable: use timeout(). */
        private function __construct() {}

        /** Fires the token immediately, with the cancellation. */
        public function cancel(?AsyncCancellation $cancellation = null): void {}

        public function isCompleted(): bool {}

        public function isCancelled(): bool {}
    }
}

namespace Async {
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
}

namespace Async {
    /** The context of the current scope. */
    function current_context(): Context {}

    /** The current coroutine's own context. */
    function coroutine_context(): Context {}

    /** The context of the root scope. */
    function root_context(): Context {}

    /** The context of the request's scope; null if the host has set none. */
    function request_context(): ?Context {}
}

namespace Async {
    /** Spawns a coroutine in the current scope. It starts when the current coroutine suspends. */
    function spawn(callable $task, mixed ...$args): Coroutine {}

    /** Spawns a coroutine in the scope of the provider. */
    function spawn_with(ScopeProvider $provider, callable $task, mixed ...$args): Coroutine {}

    /** Moves the current coroutine to the end of the ready queue, so that other ready coroutines run. */
    function suspend(): void {}

    /** Calls the closure and returns its result. A cancellation during the call is delivered after it. */
    function protect(\Closure $closure): mixed {}

    /** The running coroutine. */
    function current_coroutine(): Coroutine {}

    /**
     * All coroutines that have not finished.
     *
     * @return Coroutine[]
     */
    function get_coroutines(): array {}

    /** Cancels every coroutine. The program ends when they have finished. */
    function graceful_shutdown(?AsyncCancellation $cancellationError = null): void {}
}

namespace Async {
    /**
     * Calls the callback with value and key of each element, at most $concurrency calls concurrently; 0: no limit. If the
     * callback returns false, the iteration stops. It runs in a separate scope. At the end, coroutines that the callback
     * spawned are cancelled, or awaited if $cancelPending is false.
     */
    function iterate(iterable $iterable, callable $callback, int $concurrency = 0, bool $cancelPending = true): void {}
}

namespace Async {
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
}

namespace Async {
    /** The number of processors that this process may use; at least 1. */
    function available_parallelism(): int {}

    /**
     * The CPU usage since the previous call. The first call returns zeros.
     *
     * @return array{process_cores: float, process_percent: float, system_percent: float, cpu_count: int, interval_sec: float, loadavg: array{0: float, 1: float, 2: float}|null}
     */
    function cpu_usage(): array {}

    /**
     * The load averages of 1, 5 and 15 minutes; null if the system has none.
     *
     * @return array{0: float, 1: float, 2: float}|null
     */
    function loadavg(): ?array {}

    /**
     * Counters of the scheduler.
     *
     * @return array<string, int>
     */
    function runtime_stats(): array {}
}

namespace Async {
    /** Runs the closure in a new thread. Requires a thread-safe PHP. */
    function spawn_thread(\Closure $task, bool $inherit = true, ?\Closure $bootloader = null): Thread {}
}

namespace Async {
    /** Suspends the current coroutine for at least $ms milliseconds; 0: as suspend(). */
    function delay(int $ms): void {}

    /** Creates a cancellation token that fires after $ms milliseconds. */
    function timeout(int $ms): Timeout {}
}

namespace {
    /**
     * Members that the extension adds to PDO. With the constructor option ATTR_POOL_ENABLED, the object is a pool: each
     * coroutine uses its own connection. A connection is rolled back and reset before it returns to the pool.
     */
    class PDO
    {
        /** bool: this object is a pool. For the drivers pgsql, mysql and sqlite; not with ATTR_PERSISTENT. */
        public const ATTR_POOL_ENABLED = 71000;
        /** int: connections that are created by the constructor and kept; default 0. */
        public const ATTR_POOL_MIN = 71001;
        /** int: maximum number of connections; default 10. */
        public const ATTR_POOL_MAX = 71002;
        /** int: seconds between health checks of idle connections; default 0: check only on acquire. */
        public const ATTR_POOL_HEALTHCHECK_INTERVAL = 71003;
        /** int: prepared statements that each connection keeps for reuse; default 0. */
        public const ATTR_POOL_STMT_CACHE_SIZE = 71004;

        /** The pool of connections; null without ATTR_POOL_ENABLED. */
        public function getPool(): ?Async\Pool {}
    }
}
