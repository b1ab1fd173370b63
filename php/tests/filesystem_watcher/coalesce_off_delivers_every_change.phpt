--TEST--
coalesce: false delivers an event for every change
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir, coalesce: false);
for ($i = 0; $i < 5; $i++) { file_put_contents("$dir/a", "$i"); delay(5); }
$watcher->close();
$count = 0;
foreach ($watcher as $event) $count++;
var_dump($count >= 5);
?>
--EXPECT--
bool(true)
