--TEST--
all(ignoreErrors: true) returns the successes; getErrors() returns the errors by key
--FILE--
<?php
use Async\TaskGroup;
use function Async\{spawn, await, delay, suspend, timeout, await_all, current_coroutine};

$group = new TaskGroup;
$group->spawn(fn() => "fine");
$group->spawnWithKey("bad", fn() => throw new RuntimeException("fail"));
var_dump($group->all(ignoreErrors: true)->await());
foreach ($group->getErrors() as $key => $error) echo $key, ": ", $error->getMessage(), "\n";
?>
--EXPECT--
array(1) {
  [0]=>
  string(4) "fine"
}
bad: fail
