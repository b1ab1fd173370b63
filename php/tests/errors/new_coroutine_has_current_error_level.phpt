--TEST--
A new coroutine has the current error level after repeated changes
--FILE--
<?php
use function Async\{spawn, await};
foreach ([11, 22, 55, 77, 88, 99, 111] as $level) {
    error_reporting($level);
    if ($level == 22 || $level == 77) continue;
    echo await(spawn(fn() => error_reporting())), "\n";
}
--EXPECT--
11
55
88
99
111
