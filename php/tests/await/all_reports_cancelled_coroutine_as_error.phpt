--TEST--
await_all() returns the cancellation of a coroutine among the errors
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{spawn, await_all, delay, suspend};
$c = spawn(fn() => delay(1000));
suspend();
$c->cancel();
[$r, $e] = await_all(["c" => $c]);
var_dump($r, get_class($e["c"]));
?>
--EXPECT--
array(0) {
}
string(23) "Async\AsyncCancellation"
