--TEST--
A callback runs in the scope of whoever settles the future; its failure is the chain's, not the scope's
--FILE--
<?php
use Async\{Future, FutureState, Scope};
use function Async\{await, spawn, suspend, delay};
$state = new FutureState;
$failing = (new Future($state))->map(function () { suspend(); throw new Exception("mine"); });
$scope = new Scope;
$other = $scope->spawn(function () { delay(5); return "undisturbed"; });
$scope->spawn(fn() => $state->complete(1));
try { await($failing); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
var_dump(await($other), $scope->isCancelled());
?>
--EXPECT--
mine
string(11) "undisturbed"
bool(false)
