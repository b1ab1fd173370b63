--TEST--
Concurrent sleeps end in the order of their duration, also that of main
--FILE--
<?php
use function Async\spawn;

spawn(function () { usleep(60_000); echo "60 ms\n"; });
spawn(function () { usleep(20_000); echo "20 ms\n"; });
spawn(function () { usleep(40_000); echo "40 ms\n"; });
usleep(100_000);
echo "main\n";
?>
--EXPECT--
20 ms
40 ms
60 ms
main
