--TEST--
FS-02: debounceMs merges a burst of changes into one event
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir, debounceMs: 20, maxHoldMs: 500);
for ($i = 0; $i < 20; $i++) file_put_contents("$dir/a", "$i");
delay(100);
$watcher->close();
$count = 0;
foreach ($watcher as $event) $count++;
var_dump($count);
?>
--EXPECT--
int(1)
