--TEST--
POOL-01: wrong arguments throw
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$f = fn() => new Conn;
foreach ([fn() => new Pool("no such"), fn() => new Pool($f, min: -1), fn() => new Pool($f, max: 0), fn() => new Pool($f, min: 3, max: 2),
    fn() => new Pool($f, healthcheckInterval: -1), fn() => (new Pool($f))->acquire(-1), fn() => new Pool($f, "no such"),
    fn() => (new Pool($f))->setCircuitBreakerStrategy(new stdClass), fn() => (new Pool($f))->__construct($f), fn() => clone new Pool($f)] as $call) {
    try { $call(); } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
?>
--EXPECT--
TypeError: Async\Pool::__construct(): Argument #1 ($factory) must be a valid callback, function "no such" not found or invalid function name
ValueError: Async\Pool::__construct(): Argument #6 ($min) must be greater than or equal to 0
ValueError: Async\Pool::__construct(): Argument #7 ($max) must be greater than 0
ValueError: Async\Pool::__construct(): Argument #6 ($min) must not be greater than argument #7 ($max)
ValueError: Async\Pool::__construct(): Argument #8 ($healthcheckInterval) must be greater than or equal to 0
ValueError: Async\Pool::acquire(): Argument #1 ($timeout) must be greater than or equal to 0
TypeError: Async\Pool::__construct(): Argument #2 ($destructor) must be a valid callback or null, function "no such" not found or invalid function name
TypeError: Async\Pool::setCircuitBreakerStrategy(): Argument #1 ($strategy) must be of type ?Async\CircuitBreakerStrategy, stdClass given
Error: Cannot call Async\Pool::__construct() twice
Error: Trying to clone an uncloneable object of class Async\Pool
