--TEST--
current_coroutine() is the running coroutine, ids are distinct, and main is a coroutine
--FILE--
<?php
use function Async\{spawn, await, current_coroutine, get_coroutines};
$main = current_coroutine();
$c = spawn(function () use (&$c) { return current_coroutine() === $c; });
var_dump(count(get_coroutines()), await($c), current_coroutine() === $main, $main->getId() !== $c->getId(), $main->isRunning());
--EXPECT--
int(2)
bool(true)
bool(true)
bool(true)
bool(true)
