--TEST--
CH-12: close() while a consumer waits in foreach ends the loop without an exception
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend};
$ch = new Channel();
spawn(function () use ($ch) { suspend(); $ch->close(); echo "closed\n"; });
foreach ($ch as $v) echo "never\n";
echo "after\n";
?>
--EXPECT--
closed
after
