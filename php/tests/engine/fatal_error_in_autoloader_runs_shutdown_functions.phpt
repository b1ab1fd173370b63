--TEST--
After a fatal error in an autoloader with waiters, shutdown functions run and may load classes
--DESCRIPTION--
also under: valgrind
--INI--
error_reporting=E_ALL & ~E_DEPRECATED
--FILE--
<?php
use function Async\{spawn, delay};
spl_autoload_register(function (string $class) {
    if ($class !== 'Fatal') return eval("class $class { const NAME = '$class'; }");
    delay(2);
    trigger_error('in the loader', E_USER_ERROR);
});
register_shutdown_function(function () { echo "shutdown ", Logger::NAME, "\n"; });
spawn(fn() => class_exists('Fatal'));
spawn(fn() => class_exists('Fatal'));
delay(1);
class_exists('Fatal');
--EXPECTF--
Fatal error: in the loader in %s on line %d
shutdown Logger
