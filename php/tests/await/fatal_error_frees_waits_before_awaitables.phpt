--TEST--
After a fatal error, a wait for several awaitables is destroyed before the awaitables
--ENV--
GLIBC_TUNABLES=glibc.malloc.tcache_count=0
MALLOC_PERTURB_=165
--FILE--
<?php
use Async\{Future, FutureState, TaskGroup};
use function Async\{await_all, delay, spawn};
spawn(fn() => await_all([new Future(new FutureState), new TaskGroup, spawn(fn() => delay(1000))]));
spawn(function () {
    delay(1);
    eval('class Unfinished { abstract function missing(); }');
});
register_shutdown_function(function () { echo "shutdown\n"; });
delay(1000);
?>
--EXPECTF--
Fatal error: Class Unfinished contains 1 abstract method and must therefore be declared abstract or implement the remaining methods (Unfinished::missing) in %s on line %d
shutdown
