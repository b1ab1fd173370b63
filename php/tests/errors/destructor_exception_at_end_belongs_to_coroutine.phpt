--TEST--
An exception of a destructor that runs when a coroutine's data is freed becomes that coroutine's error
--FILE--
<?php
use function Async\{spawn, delay, await, coroutine_context};
class D {
    function __construct(private string $text) {}
    function __destruct() { throw new Exception($this->text); }
}
$scope = new Async\Scope;
$scope->setExceptionHandler(function ($scope, $coroutine, $e) { echo "handler: ", $e->getMessage(), "\n"; });
$c = $scope->spawn(fn($d) => 1, new D('argument'));
$c->cancel();
delay(2);
echo "main continues\n";
try { await($c); } catch (Cancellation $e) { echo get_class($e), "\n"; }
$scope = new Async\Scope;
$scope->setExceptionHandler(function ($scope, $coroutine, $e) { echo "handler: ", $e->getMessage(), "\n"; });
$scope->spawn(function () { coroutine_context()->set('k', new D('context')); });
delay(2);
echo "end\n";
--EXPECT--
handler: argument
main continues
Async\AsyncCancellation
handler: context
end
