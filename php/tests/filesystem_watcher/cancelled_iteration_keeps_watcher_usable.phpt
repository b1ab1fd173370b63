--TEST--
A coroutine that iterates a watcher can be cancelled; the watcher stays usable
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

$watcher = new FileSystemWatcher($dir);
$c = spawn(function () use ($watcher) { foreach ($watcher as $event) echo "never\n"; });
suspend();
$c->cancel();
try { await($c); } catch (Cancellation $e) { echo "cancelled\n"; }
touch("$dir/a");
foreach ($watcher as $event) { echo $event->filename, "\n"; break; }
?>
--EXPECT--
cancelled
a
