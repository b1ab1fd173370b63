--TEST--
The extensions option filters events by file extension
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir, extensions: ["php", ".txt"]);
foreach (["a.log", "b.txt", "c.php", "d"] as $name) touch("$dir/$name");
delay(50);
$watcher->close();
$seen = [];
foreach ($watcher as $event) $seen[] = $event->filename;
sort($seen);
echo implode(" ", $seen), "\n";
?>
--EXPECT--
b.txt c.php
