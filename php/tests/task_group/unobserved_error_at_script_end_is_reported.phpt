--TEST--
An unobserved error in a group that exists at the end of the script is reported
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => throw new RuntimeException("unobserved"));
echo "end of main\n";
?>
--EXPECTF--
end of main
%AUncaught RuntimeException: unobserved%A
