--TEST--
ST-06: what is in a coroutine's buffers when it ends is put out, callbacks included
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () { ob_start(fn($s) => "[$s]"); echo "outer"; ob_start(fn($s) => "($s)"); echo "inner"; suspend(); });
spawn(function () { ob_start(); echo "thrown away\n"; ob_end_clean(); ob_start(); echo "\nkept\n"; try { throw new Exception; } catch (Exception) {} });
suspend();
suspend();
echo "end\n";
--EXPECT--

kept
[outer(inner)]end
