--TEST--
A user error handler may suspend and throw
--FILE--
<?php
use function Async\{spawn, suspend, await};
set_error_handler(function ($no, $text) { suspend(); throw new ErrorException($text); });
$c = spawn(function () { try { echo $undefined; } catch (ErrorException $e) { return $e->getMessage(); } });
$d = spawn(function () { return "concurrent"; });
var_dump(await($c), await($d));
--EXPECT--
string(29) "Undefined variable $undefined"
string(10) "concurrent"
