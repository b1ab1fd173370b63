--TEST--
Destroying a process handle does not wait for the process, also while another coroutine is in proc_close()
--FILE--
<?php
use function Async\{await, delay, spawn};

function sleeper(?int &$pid)
{
    $process = proc_open(['sleep', '3600'], [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
    $pid = proc_get_status($process)['pid'];
    return $process;
}
$closer = spawn(function () use (&$closed) { proc_close(sleeper($closed)); echo "closed\n"; });
$process = sleeper($released);
delay(1);
unset($process);
echo "released\n";
exec("kill $closed $released");
await($closer);
?>
--EXPECT--
released
closed
