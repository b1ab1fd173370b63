--TEST--
finally() gets the outcome and passes it on unchanged; an exception of the callback replaces it
--FILE--
<?php
use Async\Future;
use function Async\await;
var_dump(await(Future::completed("v")->finally(function ($x) { var_dump($x); return "other"; })));
try {
    await(Future::failed(new Exception("e"))->finally(function ($x) { echo get_class($x), "\n"; }));
} catch (Exception $e) { echo $e->getMessage(), "\n"; }
try {
    await(Future::completed(1)->finally(fn() => throw new LogicException("from finally")));
} catch (LogicException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
string(1) "v"
string(1) "v"
Exception
e
from finally
