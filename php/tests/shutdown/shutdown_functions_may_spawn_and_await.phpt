--TEST--
Shutdown functions may spawn and await
--FILE--
<?php
use function Async\{spawn, delay, await};
register_shutdown_function(function () {
    spawn(function () { delay(1); echo "spawned at shutdown\n"; });
    echo await(spawn(fn() => "awaited at shutdown\n"));
    register_shutdown_function(function () { spawn(function () { delay(1); echo "spawned by a nested shutdown function\n"; }); });
});
echo "main ends\n";
--EXPECT--
main ends
awaited at shutdown
spawned at shutdown
spawned by a nested shutdown function
