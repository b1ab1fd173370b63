--TEST--
Cancelling the future kills the process
--FILE--
<?php
use function Async\{exec, await, delay};
$file = tempnam(sys_get_temp_dir(), "ta");
$f = exec("echo started > $file; sleep 60; echo not killed > $file");
while (trim(file_get_contents($file)) !== "started") delay(2);
$f->cancel();
try { await($f); } catch (Cancellation $e) { echo get_class($e), "\n"; }
echo file_get_contents($file);
unlink($file);
?>
--EXPECT--
Async\AsyncCancellation
started
