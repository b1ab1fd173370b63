--TEST--
SH-02: a fatal error in the destructor of an unstarted coroutine's argument ends the program with an orderly shutdown
--FILE--
<?php
require __DIR__ . '/../engine/child.inc';
$fatal = 'class F { function __destruct() { eval("function twice() {} function twice() {}"); } }
    register_shutdown_function(fn() => print("shutdown\n")); ';
$never = '$c = spawn(function ($f) {}, new F); ';
foreach (['$c->cancel(); delay(5);', '$c->cancel(); Async\protect(fn() => delay(5));', 'unset($c); exit(3);'] as $end) {
    foreach ([$never . $end, "spawn(function () { $never $end }); delay(1000);", "spawn(fn() => delay(3)); $never spawn(function () use (\$c) { unset(\$GLOBALS['c']); $end }); delay(1000);"] as $code) {
        [$exit, $output] = run_script($fatal . $code . ' echo "wrong\n";');
        echo $exit, ' ', preg_match_all('/^(Fatal error: Cannot redeclare (function )?twice|shutdown$|wrong)/m', $output), "\n";
    }
}
--EXPECT--
255 2
255 2
255 2
255 2
255 2
255 2
255 2
255 2
255 2
