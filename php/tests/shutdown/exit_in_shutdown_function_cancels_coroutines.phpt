--TEST--
exit() in a shutdown function cancels the remaining coroutines and keeps the exit code
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
require __DIR__ . '/../engine/child.inc';
$script = <<<'PHP'
register_shutdown_function(function () {
    Async\spawn(function () {
        try { Async\delay(10000); } finally { echo "finally\n"; Async\protect(fn() => Async\delay(1)); echo "waited\n"; }
    });
    Async\suspend();
    if ($_SERVER['argv'][1] === 'exit') exit(3);
    if ($_SERVER['argv'][1] === 'fatal') trigger_error('fatal', E_USER_ERROR);
    throw new Exception('thrown');
});
register_shutdown_function(function () { echo "never\n"; });
PHP;
foreach (['exit', 'fatal', 'throw'] as $case) {
    [$code, $output] = run_php(['-d', 'error_reporting=E_ALL & ~E_DEPRECATED', '-r', $script, '--', $case]);
    echo "== $case\n", preg_replace('~\n+~', "\n", trim($output)), "\n-> $code\n";
}
--EXPECTF--
== exit
finally
waited
-> 3
== fatal
Fatal error: fatal in Command line code on line %d
-> 255
== throw
Fatal error: Uncaught Exception: thrown in Command line code:%d
Stack trace:
#0 [internal function]: {closure%S}()
#1 {main}
  thrown in Command line code on line %d
-> 255
