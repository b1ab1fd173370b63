--TEST--
A cancelled proc_close() ends at once, and its process is reaped when it ends
--FILE--
<?php
use function Async\{await, delay, spawn};

function is_there(int $pid): bool
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
var_dump(is_there($pid));
exec("kill $pid");
while (is_there($pid)) delay(1);
echo "reaped\n";
?>
--EXPECT--
cancelled
bool(true)
reaped
