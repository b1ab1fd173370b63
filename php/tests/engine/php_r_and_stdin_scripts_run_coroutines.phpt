--TEST--
php -r and a script from stdin run their coroutines to the end before shutdown functions
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
require __DIR__ . '/child.inc';
$code = 'register_shutdown_function(function () { echo "shutdown\n"; }); Async\spawn(function () { Async\delay(2); echo "late\n"; }); echo "main\n";';
echo run_php(['-r', $code])[1], run_php([], "<?php $code")[1];
[$rc, $out] = run_php(['-r', 'Async\spawn(function () { Async\delay(1); throw new Exception("boom"); });']);
echo $rc, str_contains($out, 'Uncaught Exception: boom') ? " shown\n" : $out;
echo run_php(['-r', 'Async\spawn(function () { Async\delay(1); exit(9); }); Async\delay(1000);'])[0], "\n";
--EXPECT--
main
late
shutdown
main
late
shutdown
255 shown
9
