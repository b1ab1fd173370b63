--TEST--
Coroutines start in spawn order when their spawner suspends
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () { echo "a1\n"; suspend(); echo "a2\n"; });
spawn(function () { echo "b1\n"; suspend(); echo "b2\n"; });
echo "main\n";
suspend();
echo "main again\n";
--EXPECT--
main
a1
b1
main again
a2
b2
