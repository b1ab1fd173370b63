--TEST--
session_start() suspends while another process holds the lock of the session file
--FILE--
<?php
ob_start();  // output before session_start() is an error
require __DIR__ . '/support.inc';
use function Async\{await, spawn};

$directory = sys_get_temp_dir() . '/trueasync-hook-' . getmypid();
mkdir($directory);
$script = 'session_save_path($argv[1]); session_id("abc"); session_start(); $_SESSION["owner"] = "child"; echo "locked\n"; fgets(STDIN);';
$command = [PHP_BINARY, '-n', '-d', 'session.use_cookies=0', '-d', 'session.cache_limiter=', '-r', $script, '--', $directory];
$child = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
echo fgets($pipes[1]);
ini_set('session.use_cookies', '0');
ini_set('session.cache_limiter', '');
session_save_path($directory);
session_id('abc');
$waiter = spawn(function () {
    session_start();
    return $_SESSION['owner'];
});
spawn(function () use ($pipes) {
    fwrite($pipes[0], "go\n");
});
echo await($waiter), "\n";
session_destroy();
proc_close($child);
rmdir($directory);
?>
--EXPECT--
locked
child
