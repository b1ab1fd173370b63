--TEST--
await() returns the result of the coroutine, also when called again
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(fn(int $a, int $b) => $a * $b, 6, b: 7);
var_dump(await($c), await($c), $c->getResult(), $c->isCompleted());
--EXPECT--
int(42)
int(42)
int(42)
bool(true)
