--TEST--
A change of error_reporting() by main applies to coroutines spawned later
--FILE--
<?php
use function Async\{spawn, await};
var_dump(await(spawn(fn() => error_reporting())) === E_ALL);
error_reporting(E_ALL & ~E_NOTICE);
var_dump(await(spawn(fn() => error_reporting())) === (E_ALL & ~E_NOTICE));
--EXPECT--
bool(true)
bool(true)
