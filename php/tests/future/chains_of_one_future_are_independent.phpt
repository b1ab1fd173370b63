--TEST--
Several chains of one future are independent
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\await;
$state = new FutureState();
$future = new Future($state);
$a = $future->map(fn($x) => $x * 2);
$b = $future->map(function ($x) { throw new Exception("b"); });
$c = $future->map(fn($x) => $x * 3);
$state->complete(10);
var_dump(await($a), await($c));
try { await($b); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
var_dump($future->await());
?>
--EXPECT--
int(20)
int(30)
b
int(10)
