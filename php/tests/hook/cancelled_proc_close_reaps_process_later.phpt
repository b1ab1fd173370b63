--TEST--
A cancelled proc_close() returns immediately, and its process is reaped when it exits
--FILE--
<?php
use function Async\{await, delay, spawn};

function process_exists(int $pid): bool
{
    return file_exists("/proc/$pid");
}
$process = proc_open(['sleep', '3600'], [], $pipes);
$pid = proc_get_status($process)['pid'];
$closer = spawn(function () use (&$process) {
    try {
        proc_close($process);
    } catch (Async\AsyncCancellation) {
        echo "cancelled\n";
    }
});
delay(1);
$closer->cancel();
await($closer);
unset($process);
var_dump(process_exists($pid));
exec("kill $pid");
while (process_exists($pid)) delay(1);
echo "reaped\n";
?>
--EXPECT--
cancelled
bool(true)
reaped
