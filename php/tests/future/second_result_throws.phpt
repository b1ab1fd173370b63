--TEST--
Setting a second result throws an AsyncException with the location of the first
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Future, FutureState};
$state = new FutureState();
$state->complete(1);
foreach ([fn() => $state->complete(2), fn() => $state->error(new Exception("x"))] as $again) {
    try { $again(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
var_dump((new Future($state))->await());
?>
--EXPECTF--
FutureState is already completed at %ssecond_result_throws.php:4
FutureState is already completed at %ssecond_result_throws.php:4
int(1)
