--TEST--
An exception in a map() or catch() callback fails the next future
--FILE--
<?php
use Async\Future;
use function Async\await;
$r = Future::completed(1)->map(fn() => throw new Exception("in map"))
    ->catch(fn($e) => throw new LogicException("in catch", 0, $e))
    ->catch(fn($e) => get_class($e) . ": " . $e->getMessage() . " after " . $e->getPrevious()->getMessage());
var_dump(await($r));
?>
--EXPECT--
string(37) "LogicException: in catch after in map"
