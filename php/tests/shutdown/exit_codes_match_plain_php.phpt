--TEST--
Exit codes match those of plain PHP
--FILE--
<?php
require __DIR__ . '/../engine/child.inc';
foreach (['spawn(fn() => 1);', 'spawn(function () { delay(1); exit(5); });', 'spawn(function () { throw new Exception; });',
          'spawn(function () { delay(1); }); exit(6);', 'spawn(fn() => delay(1)); throw new Exception;',
          'spawn(function () { eval("function f(){} function f(){}"); }); delay(5);', 'register_shutdown_function(fn() => exit(4)); spawn(fn() => 1);'] as $code) {
    echo run_script($code)[0], "\n";
}
--EXPECT--
0
5
255
6
255
255
4
