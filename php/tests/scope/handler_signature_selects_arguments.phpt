--TEST--
A handler whose first parameter is the exception gets the exception first
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
class Handler {
    static function only($e) { echo "only: ", $e->getMessage(), "\n"; }
    function __invoke(Exception|Error $e, $coroutine, $scope) { echo get_class($e), " ", get_class($coroutine), " ", get_class($scope), "\n"; }
}
$handlers = [
    function (Throwable $e) { echo "typed: ", $e->getMessage(), "\n"; },
    fn($e) => print("untyped: " . $e->getMessage() . "\n"),
    ['Handler', 'only'],
    new Handler,
    function (Scope $s, Coroutine $c, Throwable $e) { echo "three: ", $e->getMessage(), "\n"; },
    function (...$all) { echo count($all), " ", get_class($all[0]), "\n"; },
    function (mixed $s, $c, $e) { echo get_class($s), "\n"; },
];
foreach ($handlers as $handler) {
    $scope = new Scope();
    $scope->setExceptionHandler($handler);
    $scope->spawn(function () { throw new LogicException("x"); });
    $scope->awaitCompletion();
}
?>
--EXPECT--
typed: x
untyped: x
only: x
LogicException Async\Coroutine Async\Scope
three: x
3 Async\Scope
Async\Scope
