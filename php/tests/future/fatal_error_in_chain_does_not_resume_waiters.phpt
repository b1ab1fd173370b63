--TEST--
SH-08: a fatal error in a destructor of a chain does not resume the coroutines that await the future
--INI--
error_reporting=E_ALL & ~E_DEPRECATED
--FILE--
<?php
class FatalDestructor {
    function __destruct() { trigger_error('fatal in a link', E_USER_ERROR); }
}
$state = new Async\FutureState();
$future = new Async\Future($state);
$fatal = new FatalDestructor;
$next = $future->map(function ($value) use ($fatal) { return $value; });
unset($fatal);
for ($i = 0; $i < 5; $i++) {
    Async\spawn(function () use ($future) {
        try { Async\await($future); } catch (Throwable $e) {}
        echo "awaiter\n";
    });
}
register_shutdown_function(function () { echo "shutdown\n"; });
Async\delay(5);
$state->error(new Exception('x'));
echo "end\n";
--EXPECTF--
Fatal error: fatal in a link in %s on line %d
shutdown
