--TEST--
R5: the @ operator in one coroutine does not silence another coroutine
--FILE--
<?php
use function Async\{spawn, suspend, await};
function slow() { suspend(); suspend(); return error_reporting(); }
$a = spawn(fn() => @slow());
$b = spawn(function () { suspend(); return error_reporting(); });
var_dump(await($a) === (E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR | E_PARSE));
var_dump(await($b) === E_ALL, error_reporting() === E_ALL);
--EXPECT--
bool(true)
bool(true)
bool(true)
