--TEST--
A process that is let go of is not waited for, whatever another coroutine is closing meanwhile
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
$process = sleeper($let_go);
delay(1);
unset($process);
echo "let go\n";
exec("kill $closed $let_go");
await($closer);
?>
--EXPECT--
let go
closed
