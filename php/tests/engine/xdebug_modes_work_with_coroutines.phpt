--TEST--
A program with coroutines works in every mode of Xdebug
--SKIPIF--
<?php if (!file_exists(ini_get('extension_dir') . '/xdebug.so')) die('skip Xdebug is not installed'); ?>
--FILE--
<?php
require __DIR__ . '/child.inc';
$file = tempnam(sys_get_temp_dir(), 'ta');
$directory = sys_get_temp_dir() . '/ta-xdebug-' . getmypid();
mkdir($directory);
file_put_contents($file, <<<'PHP'
<?php
use function Async\{spawn, await, delay, suspend};
function inner($x) { suspend(); return $x; }
$all = [];
for ($i = 0; $i < 5; $i++) $all[] = spawn(function () use ($i) { $f = new Fiber(function () use ($i) { Fiber::suspend(); delay(1); }); $f->start(); $f->resume(); return inner($i); });
foreach ($all as $c) echo await($c);
$e = spawn(function () { throw new Exception("x"); });
try { await($e); } catch (Exception $x) { echo $x->getMessage(); }
spawn(function () { delay(1); echo "late"; });
PHP);
foreach (['develop', 'debug', 'trace', 'profile', 'coverage', 'gcstats'] as $mode) {
    [$code, $output] = run_php(['-d', 'zend_extension=xdebug.so', '-d', "xdebug.mode=$mode", '-d', 'xdebug.start_with_request=yes', '-d', 'xdebug.log_level=0', '-d', "xdebug.output_dir=$directory", $file]);
    echo "$mode: $code $output\n";
}
array_map('unlink', glob("$directory/*"));
rmdir($directory);
unlink($file);
--EXPECT--
develop: 0 01234xlate
debug: 0 01234xlate
trace: 0 01234xlate
profile: 0 01234xlate
coverage: 0 01234xlate
gcstats: 0 01234xlate
