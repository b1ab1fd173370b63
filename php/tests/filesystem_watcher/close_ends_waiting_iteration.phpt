--TEST--
close() ends a waiting iteration
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir);
spawn(function () use ($watcher) { delay(2); $watcher->close(); });
foreach ($watcher as $event) echo "never\n";
var_dump($watcher->isClosed());
?>
--EXPECT--
bool(true)
