--TEST--
Misuse of a coroutine throws the standard PHP errors
--FILE--
<?php
use function Async\{spawn, await, current_coroutine};
$calls = [
    fn() => new Async\Coroutine, fn() => clone current_coroutine(), fn() => serialize(current_coroutine()),
    fn() => current_coroutine()->nope = 1, fn() => await(new stdClass), fn() => await(), fn() => spawn('no_such_function'),
    fn() => current_coroutine()->cancel(new Exception), fn() => Async\delay(-1), fn() => Async\timeout(0),
    fn() => current_coroutine()->finally('strlen'), fn() => Async\suspend(1), fn() => await(spawn(fn() => 1), 5),
    fn() => Async\protect('strlen'), fn() => Async\graceful_shutdown(new Exception),
];
foreach ($calls as $call) { try { $call(); echo "no error\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; } }
--EXPECT--
Error: Cannot directly construct Async\Coroutine, use the functions and methods of Async
Error: Trying to clone an uncloneable object of class Async\Coroutine
Exception: Serialization of 'Async\Coroutine' is not allowed
Error: Cannot create dynamic property Async\Coroutine::$nope
TypeError: Async\await(): Argument #1 ($awaitable) must be of type Async\Completable, stdClass given
ArgumentCountError: Async\await() expects at least 1 argument, 0 given
TypeError: Async\spawn(): Argument #1 ($task) must be a valid callback, function "no_such_function" not found or invalid function name
TypeError: Async\Coroutine::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
ValueError: Async\delay(): Argument #1 ($ms) must be greater than or equal to 0
ValueError: Timeout value must be greater than 0
TypeError: Async\Coroutine::finally(): Argument #1 ($callback) must be of type Closure, string given
ArgumentCountError: Async\suspend() expects exactly 0 arguments, 1 given
TypeError: Async\await(): Argument #2 ($cancellation) must be of type ?Async\Completable, int given
TypeError: Async\protect(): Argument #1 ($closure) must be of type Closure, string given
TypeError: Async\graceful_shutdown(): Argument #1 ($cancellationError) must be of type ?Async\AsyncCancellation, Exception given
