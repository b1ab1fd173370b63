--TEST--
R5: error_get_last() returns the last error of the current coroutine
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () { @trigger_error("mine"); suspend(); return error_get_last()['message']; });
suspend();
var_dump(error_get_last());
var_dump(await($c));
--EXPECT--
NULL
string(4) "mine"
