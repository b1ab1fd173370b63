--TEST--
Scope::spawn() runs the callable in the scope with its arguments, including named ones
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$c = $scope->spawn(function (int $a, int $b, int ...$more) { return [$a, $b, $more]; }, 1, b: 2);
var_dump($c instanceof Coroutine, $scope->isFinished());
echo json_encode(await($c)), "\n";
echo json_encode(await($scope->spawn(fn(...$all) => $all, 3, 4))), "\n";
var_dump($scope->isFinished());
?>
--EXPECT--
bool(true)
bool(false)
[1,2,[]]
[3,4]
bool(true)
