--TEST--
A second result is an AsyncException that says where the first was set
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
FutureState is already completed, at a_result_is_set_once.php:4
FutureState is already completed, at a_result_is_set_once.php:4
int(1)
