--TEST--
FS-01: recursive: true watches existing and new subdirectories
--FILE--
<?php
use Async\{FileSystemWatcher, FileSystemEvent};
use function Async\{spawn, await, delay, suspend};
$dir = sys_get_temp_dir() . "/true_async_" . getmypid();
mkdir($dir);
register_shutdown_function(fn() => exec("rm -rf " . escapeshellarg($dir)));

mkdir("$dir/sub");
$watcher = new FileSystemWatcher($dir, recursive: true);
touch("$dir/sub/deep.txt");
mkdir("$dir/late");
touch("$dir/late/later.txt");
$seen = [];
foreach ($watcher as $event) {
    $seen[$event->filename] = 1;
    if (isset($seen["sub/deep.txt"], $seen["late/later.txt"])) break;
}
echo "both\n";
?>
--EXPECT--
both
