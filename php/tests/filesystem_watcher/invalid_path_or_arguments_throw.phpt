--TEST--
A path that cannot be watched, wrong arguments and a second constructor call throw
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

foreach ([fn() => new FileSystemWatcher("$dir/none"), fn() => new FileSystemWatcher($dir, debounceMs: -1), fn() => new FileSystemWatcher($dir, maxHoldMs: -1),
    fn() => new FileSystemWatcher($dir, extensions: [1]), fn() => (new FileSystemWatcher($dir))->__construct($dir)] as $call) {
    try { $call(); } catch (Throwable $e) { echo get_class($e), ": ", str_replace($dir, "DIR", $e->getMessage()), "\n"; }
}
?>
--EXPECTF--
Error: %sDIR/none%S
ValueError: Async\FileSystemWatcher::__construct(): Argument #4 ($debounceMs) must be greater than or equal to 0
ValueError: Async\FileSystemWatcher::__construct(): Argument #5 ($maxHoldMs) must be greater than or equal to 0
TypeError: Async\FileSystemWatcher::__construct(): Argument #6 ($extensions) must contain only non-empty strings
Error: Cannot call Async\FileSystemWatcher::__construct() twice
