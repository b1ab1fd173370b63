--TEST--
A coroutine that awaits itself gets an exception
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(function () use (&$c) { await($c); });
try { await($c); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
--EXPECT--
Coroutine #2 cannot await itself
