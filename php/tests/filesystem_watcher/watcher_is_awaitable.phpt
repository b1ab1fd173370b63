--TEST--
A watcher is Awaitable and can be passed to the await functions
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir);
spawn(fn() => touch("$dir/a"));
echo Async\await_any_or_fail([$watcher])->filename, "\n";
?>
--EXPECT--
a
