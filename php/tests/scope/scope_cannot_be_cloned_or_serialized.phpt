--TEST--
A scope cannot be cloned, serialized, given properties or constructed twice
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
foreach ([fn() => clone $scope, fn() => serialize($scope), fn() => $scope->x = 1, fn() => $scope->__construct()] as $call) {
    try { $call(); echo "no error\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
var_dump((new ReflectionClass(Scope::class))->isFinal());
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\Scope
Exception: Serialization of 'Async\Scope' is not allowed
Error: Cannot create dynamic property Async\Scope::$x
Async\AsyncException: Cannot call Async\Scope::__construct() twice
bool(true)
