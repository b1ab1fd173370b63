--TEST--
set_exception_handler gets what nobody caught, and may await
--FILE--
<?php
use function Async\{spawn, delay, await};
set_exception_handler(function ($e) { echo "handler: ", $e->getMessage(), " ", await(spawn(fn() => "waits")), "\n"; });
spawn(function () { delay(1); throw new Exception("boom"); });
--EXPECT--
handler: boom waits
