--TEST--
ST-07: a Fiber of the main coroutine may spawn and await
--FILE--
<?php
use function Async\{spawn, await, delay};
$f = new Fiber(function () {
    $c = spawn(function () { delay(2); return "from the coroutine"; });
    Fiber::suspend("suspended");
    return await($c);
});
echo $f->start(), "\n";
$f->resume();
echo $f->getReturn(), "\n";
--EXPECT--
suspended
from the coroutine
