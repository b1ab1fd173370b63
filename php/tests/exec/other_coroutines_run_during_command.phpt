--TEST--
PR-06: other coroutines run while a command runs, also during the first call
--FILE--
<?php
use function Async\{exec, await, spawn, delay};
$f = exec("sleep 0.2; echo done");
$n = 0;
spawn(function () use (&$n, $f) { while (!$f->isCompleted()) { ++$n; delay(5); } });
echo await($f)[0], "\n";
var_dump($n > 3);
?>
--EXPECT--
done
bool(true)
