--TEST--
any() returns the first success; suppressErrors() marks the errors as observed
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => throw new RuntimeException("fail 1"));
$group->spawn(fn() => throw new RuntimeException("fail 2"));
$group->spawn(function () { delay(1); return "success"; });
var_dump($group->any()->await());
$group->suppressErrors();
unset($group);
echo "done\n";
?>
--EXPECT--
string(7) "success"
done
