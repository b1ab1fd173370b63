--TEST--
Wrong arguments throw
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

foreach ([fn() => new TaskGroup(-1), fn() => new TaskGroup(1, -1), fn() => (new TaskGroup)->spawn("no such function"),
    fn() => (new TaskGroup)->finally("strlen"), fn() => (new TaskGroup)->cancel(new Exception), fn() => (new TaskGroup)->__construct(),
    fn() => clone new TaskGroup, fn() => serialize(new TaskGroup)] as $call) {
    try { $call(); } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
?>
--EXPECT--
ValueError: Async\TaskGroup::__construct(): Argument #1 ($concurrency) must be greater than or equal to 0
ValueError: Async\TaskGroup::__construct(): Argument #2 ($queueLimit) must be greater than or equal to 0
TypeError: Async\TaskGroup::spawn(): Argument #1 ($task) must be a valid callback, function "no such function" not found or invalid function name
TypeError: Async\TaskGroup::finally(): Argument #1 ($callback) must be of type Closure, string given
TypeError: Async\TaskGroup::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
Error: Cannot call Async\TaskGroup::__construct() twice
Error: Trying to clone an uncloneable object of class Async\TaskGroup
Exception: Serialization of 'Async\TaskGroup' is not allowed
