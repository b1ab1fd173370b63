--TEST--
DLK-01: an autoloader that waits for a coroutine that needs the same class is reported as a deadlock
--INI--
html_errors=0
--FILE--
<?php
use function Async\{spawn, await};
spl_autoload_register(function (string $class) { await(spawn(fn() => class_exists($class))); });
try {
    await(spawn(fn() => class_exists('Foo')));
} catch (Async\DeadlockError $e) {
    echo $e->getMessage(), "\n";
}
exit("end\n");
--EXPECTF--
Warning: deadlock: %s
%A    waits for the loading of class foo
  wait cycle: #%d → #%d → #%d
 in %s on line %d
Deadlock detected: no active coroutines, 3 coroutines in waiting
end
