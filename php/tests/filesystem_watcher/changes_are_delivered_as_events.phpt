--TEST--
Changes are delivered as read-only events with path, filename and renamed
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir);
touch("$dir/new.txt");
foreach ($watcher as $key => $event) {
    var_dump($key, $event instanceof FileSystemEvent, $event->path === $dir, $event->filename, $event->renamed);
    break;
}
$watcher->close();
try { $event->filename = "x"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { new FileSystemEvent; } catch (Error $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
int(0)
bool(true)
bool(true)
string(7) "new.txt"
bool(true)
Cannot modify readonly property Async\FileSystemEvent::$filename
Cannot directly construct Async\FileSystemEvent, use the functions and methods of Async
