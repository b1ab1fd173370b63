--TEST--
set_exception_handler() gets an uncaught exception and may await
--FILE--
<?php
use function Async\{spawn, delay, await};
set_exception_handler(function ($e) { echo "handler: ", $e->getMessage(), " ", await(spawn(fn() => "awaited")), "\n"; });
spawn(function () { delay(1); throw new Exception("boom"); });
--EXPECT--
handler: boom awaited
