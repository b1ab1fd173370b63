--TEST--
Wrong arguments, a second constructor call, clone and serialize throw
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Future, FutureState};
$f = Future::completed(1)->ignore();
foreach ([
    fn() => new Future(1), fn() => (new FutureState)->error("x"), fn() => $f->map("no_such_function"),
    fn() => $f->__construct(new FutureState), fn() => (new FutureState)->__construct(), fn() => clone $f,
    fn() => serialize($f), fn() => $f->await(5), fn() => $f->cancel(new Exception("x")), fn() => $f->x = 1,
] as $call) {
    try { $call(); echo "no error\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
?>
--EXPECTF--
TypeError: Async\Future::__construct(): Argument #1 ($state) must be of type Async\FutureState, int given
TypeError: Async\FutureState::error(): Argument #1 ($throwable) must be of type Throwable, string given
TypeError: Async\Future::map(): Argument #1 ($map) must be a valid callback, function "no_such_function" not found or invalid function name
Async\AsyncException: Cannot call Async\Future::__construct() twice
Async\AsyncException: Cannot call Async\FutureState::__construct() twice
Error: Trying to clone an uncloneable object of class Async\Future
Exception: Serialization of 'Async\Future' is not allowed
TypeError: Async\Future::await(): Argument #1 ($cancellation) must be of type ?Async\Completable, int given
TypeError: Async\Future::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
Error: Cannot create dynamic property Async\Future::$x
