--TEST--
A callback runs in the scope that settles the future; its failure belongs to the chain, not to the scope
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Future, FutureState, Scope};
use function Async\{await, spawn, suspend, delay};
$state = new FutureState;
$failing = (new Future($state))->map(function () { suspend(); throw new Exception("in callback"); });
$scope = new Scope;
$other = $scope->spawn(function () { delay(5); return "unaffected"; });
$scope->spawn(fn() => $state->complete(1));
try { await($failing); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
var_dump(await($other), $scope->isCancelled());
?>
--EXPECT--
in callback
string(10) "unaffected"
bool(false)
