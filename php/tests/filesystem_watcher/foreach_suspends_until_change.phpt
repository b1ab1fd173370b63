--TEST--
foreach suspends until a change happens while other coroutines run
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir);
spawn(function () use ($dir) { delay(2); echo "writing\n"; file_put_contents("$dir/a", "1"); });
foreach ($watcher as $event) { echo $event->filename, "\n"; break; }
?>
--EXPECT--
writing
a
