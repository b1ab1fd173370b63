--TEST--
CTX-03: a native stack overflow reports the coroutine's location and the setting to raise
--DESCRIPTION--
not under: asan
--FILE--
<?php
require __DIR__ . '/child.inc';
$script = __DIR__ . '/stack_overflow.tmp.php';
file_put_contents($script, '<?php
function deep($n) {
    for ($list = null; $n; $n--) $list = [$list]; unset($list);
}
Async\await(Async\spawn("deep", 100000));
');
$command = 'ulimit -c 0; ' . escapeshellarg(PHP_BINARY) . ' -n -d memory_limit=1G -d async.stack_size=256K -d extension=' . escapeshellarg(extension_path()) . " $script 2>&1";
echo shell_exec($command);
unlink($script);
--EXPECTF--
trueasync: stack overflow in coroutine #2 spawned at %sstack_overflow.tmp.php:5, running at %sstack_overflow.tmp.php:3 (stack 2%d bytes); internal functions with callbacks and chains of destructors nest on the native stack: raise async.stack_size in php.ini (for fibers, fiber.stack_size)
%A
