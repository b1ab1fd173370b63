<?php

// Made by php/tools/generate.php from php/stubs; change the stubs, not this file.
// For editors and analysers; never loaded at run time.

namespace {
    /** The third kind of Throwable beside Error and Exception: not caught by a `catch` for either. */
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
    /** Thrown where a cancelled coroutine waits. */
    class AsyncCancellation extends \Cancellation
    {
    }

    /** A wait was ended by its token; the reason is the previous one. */
    class OperationCanceledException extends AsyncCancellation
    {
    }
}

namespace Async {
    /**
     * Passes values between coroutines, first in, first out; with capacity 0 sender and receiver meet.
     *
     * @template T
     */
    final class Channel implements Awaitable, \IteratorAggregate, \Countable
    {
        /** The timeouts (milliseconds, 0: none) close the channel when one side waits and the other is missing. */
        public function __construct(int $capacity = 0, int $noProducerTimeout = 0, int $noConsumerTimeout = 0, bool $hardTimeouts = false) {}

        /** Waits for a place, or for a receiver. */
        public function send(mixed $value, ?Completable $cancellationToken = null): void {}

        /** Sends if that needs no wait. */
        public function sendAsync(mixed $value): bool {}

        /** @return T */
        public function recv(?Completable $cancellationToken = null): mixed {}

        /** @return Future<T> */
        public function recvAsync(): Future {}

        /** No more sends; what is in it can still be received. */
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
}

namespace Async {
    /** Values by key, for a scope or a coroutine; a look-up goes up through the scopes. */
    final class Context
    {
        /** Not for use: scopes and coroutines have contexts. */
        private function __construct() {}

        /** The value here or above, or null. */
        public function find(string|object $key): mixed {}

        /** The value here or above; throws ContextException if there is none. */
        public function get(string|object $key): mixed {}

        public function has(string|object $key): bool {}

        public function findLocal(string|object $key): mixed {}

        public function getLocal(string|object $key): mixed {}

        public function hasLocal(string|object $key): bool {}

        /** A key that is there already needs $replace. */
        public function set(string|object $key, mixed $value, bool $replace = false): Context {}

        public function unset(string|object $key): Context {}
    }
}

namespace Async {
    /**
     * A running function that can wait; spawn() makes it.
     *
     * @template T
     */
    final class Coroutine implements Completable
    {
        /** Not for use: spawn() makes coroutines. */
        private function __construct() {}

        public function getId(): int {}

        /** Runs it before others that are ready. */
        public function asHiPriority(): Coroutine {}

        /** The coroutine's own context. */
        public function getContext(): Context {}

        /**
         * The result, or null while there is none.
         *
         * @return T|null
         */
        public function getResult(): mixed {}

        /** The exception it ended with, or null. */
        public function getException(): ?\Throwable {}

        /** The frames of a suspended coroutine, as debug_backtrace() gives them, or null. */
        public function getTrace(int $options = \DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): ?array {}

        /** @return array{0: ?string, 1: int} */
        public function getSpawnFileAndLine(): array {}

        /** "file:line" of the spawn. */
        public function getSpawnLocation(): string {}

        /** @return array{0: ?string, 1: int} */
        public function getSuspendFileAndLine(): array {}

        /** "file:line" where it waits. */
        public function getSuspendLocation(): string {}

        public function isStarted(): bool {}

        /** Whether it is ready and waits for its turn. */
        public function isQueued(): bool {}

        public function isRunning(): bool {}

        public function isSuspended(): bool {}

        public function isCancelled(): bool {}

        /** Whether a cancellation is asked for and not yet delivered. */
        public function isCancellationRequested(): bool {}

        public function isCompleted(): bool {}

        /** What it waits for, in words. */
        public function getAwaitingInfo(): array {}

        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** Calls the closure with the coroutine when it has ended. */
        public function finally(\Closure $callback): void {}
    }
}

namespace Async {
    /** Counters of the processors at one moment; the difference of two says something. */
    final class CpuSnapshot
    {
        public readonly int $wallNs;
        public readonly int $processUserNs;
        public readonly int $processSystemNs;
        public readonly int $systemIdleNs;
        public readonly int $systemBusyNs;
        public readonly int $cpuCount;

        /** Not for use: now() makes them. */
        private function __construct() {}

        public static function now(): CpuSnapshot {}
    }
}

namespace Async {
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
}

namespace Async {
    /** A change that a FileSystemWatcher saw. */
    final class FileSystemEvent
    {
        /** The path that is watched. */
        public readonly string $path;
        /** The file, below the path. */
        public readonly ?string $filename;
        /** Created, deleted or renamed. */
        public readonly bool $renamed;
        /** Written to. */
        public readonly bool $changed;

        /** Not for use: a FileSystemWatcher makes events. */
        private function __construct() {}
    }

    /** Watches a file or directory from its construction on; foreach gives the events. */
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
     * A result that will be there.
     *
     * @template T
     */
    final class Future implements Completable
    {
        /** A future that has its result. */
        public static function completed(mixed $value = null): Future {}

        /** A future that has failed. */
        public static function failed(\Throwable $throwable): Future {}

        public function __construct(FutureState $state) {}

        public function isCompleted(): bool {}

        public function isCancelled(): bool {}

        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** Nobody needs to use it, or to take its error: no warning. */
        public function ignore(): Future {}

        /** A future of what the callable makes of the result. */
        public function map(callable $map): Future {}

        /** A future of what the callable makes of the error. */
        public function catch(callable $catch): Future {}

        /** A future of the same outcome, after the callable, which is called with it: the value or the exception. */
        public function finally(callable $finally): Future {}

        /** @return T */
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
     * The side of a future that completes it, once.
     *
     * @template T
     */
    final class FutureState
    {
        public function __construct() {}

        /** @param T $result */
        public function complete(mixed $result): void {}

        public function error(\Throwable $throwable): void {}

        public function isCompleted(): bool {}

        /** Nobody needs to take the error. */
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
    /** Whatever can be waited for. */
    interface Awaitable
    {
    }

    /** What can be waited for and completes once. */
    interface Completable extends Awaitable
    {
        /** Asks it to end; waiters get the cancellation. */
        public function cancel(?AsyncCancellation $cancellation = null): void;

        /** Whether it is over, in whatever way. */
        public function isCompleted(): bool;

        /** Whether it ended by cancellation. */
        public function isCancelled(): bool;
    }

    /** Names the scope in which spawn_with() starts a coroutine. */
    interface ScopeProvider
    {
        /** The scope, or null for the current one. */
        public function provideScope(): ?Scope;
    }

    /** A provider that is told before and after a coroutine enters the queue. */
    interface SpawnStrategy extends ScopeProvider
    {
        /** Before the coroutine is queued. */
        public function beforeCoroutineEnqueue(Coroutine $coroutine, Scope $scope): array;

        /** After the coroutine was queued. */
        public function afterCoroutineEnqueue(Coroutine $coroutine, Scope $scope): void;
    }
}

namespace Async {
    /**
     * Lends out resources, up to $max, and makes them as needed. Who waits longest is served first.
     *
     * All callables may wait; $beforeAcquire not in tryAcquire(). A check refuses by returning what counts as false; null is
     * no objection. A factory must not return null. What a callable throws comes out of the method that called it.
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
         * Waits for a resource, at most so many milliseconds (0: no limit). A TimeoutException says who has the resources.
         *
         * @return T
         * @throws PoolException the pool is closed
         * @throws ServiceUnavailableException the breaker refuses
         * @throws TimeoutException
         */
        public function acquire(int $timeout = 0): mixed {}

        /**
         * A resource if one is there or can be made, else null.
         *
         * @return T|null
         */
        public function tryAcquire(): mixed {}

        /**
         * @param T $resource what was acquired here and not released yet; anything else is a PoolException
         */
        public function release(mixed $resource): void {}

        public function close(): void {}

        public function isClosed(): bool {}

        public function count(): int {}

        public function idleCount(): int {}

        public function activeCount(): int {}

        public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void {}

        public function getState(): CircuitBreakerState {}

        public function activate(): void {}

        public function deactivate(): void {}

        public function recover(): void {}
    }
}

namespace Async {
    /** Owns coroutines: cancelling or disposing it reaches all of them and those of the scopes below. */
    final class Scope implements ScopeProvider
    {
        /** A scope below the given one, or below the current one. */
        public static function inherit(?Scope $parentScope = null): Scope {}

        /** A scope without a parent. */
        public function __construct() {}

        public function provideScope(): Scope {}

        /** Its end cancels what still runs. */
        public function asNotSafely(): Scope {}

        /** Its end lets what still runs go on as zombies. */
        public function allowZombies(): Scope {}

        /** Starts a coroutine in this scope. */
        public function spawn(\Closure $callable, mixed ...$params): Coroutine {}

        /** Cancels all coroutines here and below, and closes the scope. */
        public function cancel(?AsyncCancellation $cancellationError = null): void {}

        /** Waits until no active coroutine is left. */
        public function awaitCompletion(?Awaitable $cancellation = null): void {}

        /** Waits, after cancel(), until every coroutine is over, zombies too; their errors go to the handler. */
        public function awaitAfterCancellation(?callable $errorHandler = null, ?Awaitable $cancellation = null): void {}

        public function isFinished(): bool {}

        public function isClosed(): bool {}

        public function isCancelled(): bool {}

        /**
         * Called with scope, coroutine and exception when a coroutine here fails and nobody takes it; with the exception
         * first if the first parameter takes nothing else, or if there is only one.
         */
        public function setExceptionHandler(callable $exceptionHandler): void {}

        /** The same for coroutines of the scopes below. */
        public function setChildScopeExceptionHandler(callable $exceptionHandler): void {}

        /** Calls the closure with the scope when it has ended. */
        public function finally(\Closure $callback): void {}

        /** Closes the scope and cancels what runs; after allowZombies() that goes on. */
        public function dispose(): void {}

        /** Closes the scope; what runs goes on as zombies, unless asNotSafely() was said. */
        public function disposeSafely(): void {}

        /** Closes the scope, and cancels what still runs after so many milliseconds. */
        public function disposeAfterTimeout(int $timeout): void {}

        /** @return Scope[] */
        public function getChildScopes(): array {}
    }
}

namespace Async {
    /** The signals that signal() waits for. */
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
    /** Tasks that are awaited or cancelled together; results are kept. */
    final class TaskGroup implements Awaitable, \Countable, \IteratorAggregate
    {
        public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

        public function spawn(callable $task, mixed ...$args): void {}

        public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

        /** A future of all results by key; fails with a CompositeException unless errors are ignored. */
        public function all(bool $ignoreErrors = false): Future {}

        /** A future of the first to end, error or not. */
        public function race(): Future {}

        /** A future of the first success. */
        public function any(): Future {}

        public function getResults(): array {}

        /** @return array<array-key, \Throwable> */
        public function getErrors(): array {}

        /** The errors count as taken. */
        public function suppressErrors(): void {}

        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** No more tasks. */
        public function close(): void {}

        public function dispose(): void {}

        public function isFinished(): bool {}

        public function isClosed(): bool {}

        public function count(): int {}

        public function awaitCompletion(): void {}

        public function finally(\Closure $callback): void {}

        /** [result, error] by key, as the tasks end. */
        public function getIterator(): \Iterator {}
    }
}

namespace Async {
    /** Tasks whose results leave the set when they are delivered. */
    final class TaskSet implements Awaitable, \Countable, \IteratorAggregate
    {
        public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}

        public function spawn(callable $task, mixed ...$args): void {}

        public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}

        /** A future of the next to end, error or not. */
        public function joinNext(): Future {}

        /** A future of the next success. */
        public function joinAny(): Future {}

        /** A future of all results by key; fails with a CompositeException unless errors are ignored. */
        public function joinAll(bool $ignoreErrors = false): Future {}

        public function cancel(?AsyncCancellation $cancellation = null): void {}

        /** No more tasks. */
        public function close(): void {}

        public function dispose(): void {}

        public function isFinished(): bool {}

        public function isClosed(): bool {}

        public function count(): int {}

        public function awaitCompletion(): void {}

        public function finally(\Closure $callback): void {}

        /** [result, error] by key, as the tasks end. */
        public function getIterator(): \Iterator {}
    }
}

namespace Async {
    /**
     * A thread with a PHP of its own; spawn_thread() makes it. Needs a thread-safe PHP.
     *
     * @template T
     */
    final class Thread implements Completable
    {
        /** Not for use: spawn_thread() makes threads. */
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
     * A channel between threads. Needs a thread-safe PHP.
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
    /** Threads that take tasks from a queue. Needs a thread-safe PHP. */
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
    /** A token that ends a wait when its time is up; timeout() makes it. */
    final class Timeout implements Completable
    {
        /** Not for use: timeout() makes them. */
        private function __construct() {}

        public function cancel(?AsyncCancellation $cancellation = null): void {}

        public function isCompleted(): bool {}

        public function isCancelled(): bool {}
    }
}

namespace Async {
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
}

namespace Async {
    /** The context of the current scope. */
    function current_context(): Context {}

    /** The context of the current coroutine itself. */
    function coroutine_context(): Context {}

    /** The context of the main scope, above all others. */
    function root_context(): Context {}

    /** The context of the request's scope, or null where a host has set none. */
    function request_context(): ?Context {}
}

namespace Async {
    /** Starts a coroutine in the current scope; it first runs when the current one waits. */
    function spawn(callable $task, mixed ...$args): Coroutine {}

    /** Starts a coroutine in the scope that the provider names. */
    function spawn_with(ScopeProvider $provider, callable $task, mixed ...$args): Coroutine {}

    /** Lets the other ready coroutines run. */
    function suspend(): void {}

    /** Runs the closure; a cancellation that comes meanwhile is delivered after it. */
    function protect(\Closure $closure): mixed {}

    /** The coroutine that is running. */
    function current_coroutine(): Coroutine {}

    /**
     * All living coroutines.
     *
     * @return Coroutine[]
     */
    function get_coroutines(): array {}

    /** Cancels every coroutine and lets the program end in good order. */
    function graceful_shutdown(?AsyncCancellation $cancellationError = null): void {}
}

namespace Async {
    /**
     * Calls the callback with value and key of each element, up to $concurrency at once (0: no limit); `false` stops.
     * It runs in a scope of its own; what the callback spawned is cancelled at the end, or awaited without $cancelPending.
     */
    function iterate(iterable $iterable, callable $callback, int $concurrency = 0, bool $cancelPending = true): void {}
}

namespace Async {
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
}

namespace Async {
    /** How many processors this process may use; at least 1. */
    function available_parallelism(): int {}

    /**
     * The use of the processors since the previous call; zeros the first time.
     *
     * @return array{process_cores: float, process_percent: float, system_percent: float, cpu_count: int, interval_sec: float, loadavg: array{0: float, 1: float, 2: float}|null}
     */
    function cpu_usage(): array {}

    /**
     * The load averages of 1, 5 and 15 minutes, or null where the system has none.
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
    /** Runs the closure in a thread of its own; needs a thread-safe PHP. */
    function spawn_thread(\Closure $task, bool $inherit = true, ?\Closure $bootloader = null): Thread {}
}

namespace Async {
    /** Waits for so many milliseconds; 0 is a plain suspend(). */
    function delay(int $ms): void {}

    /** A token that ends a wait after so many milliseconds. */
    function timeout(int $ms): Timeout {}
}

namespace {
    /**
     * Added to PDO: with ATTR_POOL_ENABLED among the constructor's options each coroutine works on a connection of its own,
     * which goes back to the pool when it is not needed, rolled back and reset.
     */
    class PDO
    {
        /** bool: this object is a pool. For the drivers pgsql, mysql and sqlite; excludes ATTR_PERSISTENT. */
        public const ATTR_POOL_ENABLED = 71000;
        /** int: connections made at construction, and kept; 0 if not given. */
        public const ATTR_POOL_MIN = 71001;
        /** int: the most connections there are; 10 if not given. */
        public const ATTR_POOL_MAX = 71002;
        /** int: seconds between two checks of idle connections; 0, if not given: none but the look at hand-out. */
        public const ATTR_POOL_HEALTHCHECK_INTERVAL = 71003;
        /** int: prepared statements that each connection keeps for reuse; 0, if not given: none. */
        public const ATTR_POOL_STMT_CACHE_SIZE = 71004;

        /** The pool of connections; null without ATTR_POOL_ENABLED. */
        public function getPool(): ?Async\Pool {}
    }
}
