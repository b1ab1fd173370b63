--TEST--
The internal function that runs the main script is not visible to PHP code
--FILE--
<?php
var_dump(function_exists('Async\run_main_script'));
try { Async\run_main_script(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
--EXPECT--
bool(false)
Call to undefined function Async\run_main_script()
