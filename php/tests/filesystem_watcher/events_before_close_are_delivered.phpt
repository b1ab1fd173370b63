--TEST--
Changes before close() are delivered, then the iteration ends
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir);
touch("$dir/a");
delay(50);
$watcher->close();
$watcher->close();
var_dump($watcher->isClosed());
foreach ($watcher as $event) echo $event->filename, "\n";
echo "end\n";
?>
--EXPECT--
bool(true)
a
end
