--TEST--
A user error handler may wait, and may throw
--FILE--
<?php
use function Async\{spawn, suspend, await};
set_error_handler(function ($no, $text) { suspend(); throw new ErrorException($text); });
$c = spawn(function () { try { echo $undefined; } catch (ErrorException $e) { return $e->getMessage(); } });
$d = spawn(function () { return "meanwhile"; });
var_dump(await($c), await($d));
--EXPECT--
string(29) "Undefined variable $undefined"
string(9) "meanwhile"
