--TEST--
joinAll() throws all errors or ignores them; the set is empty in both cases
--FILE--
<?php
use Async\TaskSet;
use function Async\{spawn, await, delay, suspend, timeout};

foreach ([false, true] as $ignore) {
    $set = new TaskSet;
    $set->spawn(fn() => "ok");
    $set->spawn(fn() => throw new RuntimeException("fail"));
    try { echo json_encode($set->joinAll($ignore)->await()), "\n"; }
    catch (Async\CompositeException $e) { echo $e->getExceptions()[0]->getMessage(), "\n"; }
    var_dump(count($set));
}
?>
--EXPECT--
fail
int(0)
["ok"]
int(0)
