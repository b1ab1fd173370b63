--TEST--
include, require and autoload may suspend
--FILE--
<?php
use function Async\{spawn, await, delay};
$file = __DIR__ . '/include_and_autoload.inc.tmp.php';
file_put_contents($file, '<?php Async\delay(1); return "included";');
spl_autoload_register(function ($class) { delay(1); eval("class $class { const X = '$class'; }"); });
$a = spawn(fn() => include $file);
$b = spawn(fn() => One::X);
$c = spawn(fn() => Two::X);
echo await($a), await($b), await($c), "\n";
unlink($file);
--EXPECT--
includedOneTwo
