--TEST--
AW-01 AW-02: coroutines and futures that finished before the call deliver their outcome
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, await_all, await_any_of, suspend};
$c = spawn(fn() => "finished");
$f = spawn(fn() => throw new Exception("failed"));
suspend();
[$r, $e] = await_all([$c, $f, Future::completed("there"), Future::failed(new Exception("too"))]);
var_dump($r, array_keys($e));
$late = new FutureState;
spawn(fn() => $late->complete("late"));
[$r] = await_any_of(1, [new Future(new FutureState), new Future($late)]);
var_dump($r);
?>
--EXPECT--
array(2) {
  [0]=>
  string(8) "finished"
  [2]=>
  string(5) "there"
}
array(2) {
  [0]=>
  int(1)
  [1]=>
  int(3)
}
array(1) {
  [1]=>
  string(4) "late"
}
