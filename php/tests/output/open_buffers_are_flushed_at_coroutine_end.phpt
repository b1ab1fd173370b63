--TEST--
ST-06: the open output buffers of a coroutine are flushed at its end, through their callbacks
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () { ob_start(fn($s) => "[$s]"); echo "outer"; ob_start(fn($s) => "($s)"); echo "inner"; suspend(); });
spawn(function () { ob_start(); echo "discarded\n"; ob_end_clean(); ob_start(); echo "\nkept\n"; try { throw new Exception; } catch (Exception) {} });
suspend();
suspend();
echo "end\n";
--EXPECT--

kept
[outer(inner)]end
