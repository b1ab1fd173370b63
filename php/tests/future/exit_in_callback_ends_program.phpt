--TEST--
exit() in a callback ends the program
--FILE--
<?php
use Async\Future;
$f = Future::completed(1)->map(function () { echo "exiting\n"; exit(0); });
try { $f->await(); echo "never\n"; } finally { }
?>
--EXPECT--
exiting
