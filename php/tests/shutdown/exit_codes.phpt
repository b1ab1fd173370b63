--TEST--
Exit codes are what PHP people expect
--FILE--
<?php
$php = getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_ARGS') . ' -n -d display_errors=0 -d log_errors=0 -d extension=' . ini_get('extension_dir');
function run($code) {
    $file = tempnam(sys_get_temp_dir(), 'ta');
    file_put_contents($file, '<?php use function Async\{spawn, delay}; ' . $code);
    $args = [PHP_BINARY, '-n', '-d', 'display_errors=0', '-d', 'log_errors=0', '-d', 'extension=' . $GLOBALS['so'], $file];
    $p = proc_open($args, [['pipe', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
    $rc = proc_close($p);
    unlink($file);
    return $rc;
}
preg_match('~^.*/true_async\.so$~m', file_get_contents('/proc/self/maps'), $m);
$so = preg_replace('~^.* ~', '', $m[0]);
foreach (['spawn(fn() => 1);', 'spawn(function () { delay(1); exit(5); });', 'spawn(function () { throw new Exception; });',
          'spawn(function () { delay(1); }); exit(6);', 'spawn(fn() => delay(1)); throw new Exception;',
          'spawn(function () { eval("function f(){} function f(){}"); }); delay(5);', 'register_shutdown_function(fn() => exit(4)); spawn(fn() => 1);'] as $code) {
    echo run($code), "\n";
}
--EXPECT--
0
5
255
6
255
255
4
