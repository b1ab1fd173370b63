--TEST--
ST-07: a Fiber inside a coroutine works and may suspend the coroutine
--FILE--
<?php
use function Async\{spawn, suspend, await, delay};
function job($n) {
    $f = new Fiber(function ($x) use ($n) { $y = Fiber::suspend("$n-$x"); delay(1); $z = Fiber::suspend("$n-$y"); suspend(); return "$n-$z"; });
    $r = [$f->start(1)];
    suspend();
    $r[] = $f->resume(2);
    $f->resume(3);
    $r[] = $f->getReturn();
    return implode(' ', $r);
}
$all = [];
foreach (['a', 'b', 'c'] as $n) $all[] = spawn('job', $n);
foreach ($all as $c) echo await($c), "\n";
--EXPECT--
a-1 a-2 a-3
b-1 b-2 b-3
c-1 c-2 c-3
