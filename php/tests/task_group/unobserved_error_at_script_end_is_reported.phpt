--TEST--
An error in a group that is still there when the script ends is not lost
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => throw new RuntimeException("not lost"));
echo "end of main\n";
?>
--EXPECTF--
end of main
%AUncaught RuntimeException: not lost%A
