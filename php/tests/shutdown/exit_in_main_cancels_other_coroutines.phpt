--TEST--
exit() in main cancels the other coroutines and lets them clean up
--FILE--
<?php
use function Async\{spawn, suspend, delay};
spawn(function () { try { delay(1000); } finally { delay(1); echo "cleanup\n"; } });
suspend();
exit("exiting\n");
--EXPECT--
exiting
cleanup
