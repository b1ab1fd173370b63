--TEST--
On a PHP without thread safety every thread function and class throws an error that states the requirement
--FILE--
<?php
if (PHP_ZTS) die("skip");
foreach ([fn() => Async\spawn_thread(fn() => 1), fn() => new Async\ThreadPool(2), fn() => new Async\ThreadChannel] as $call) {
    try { $call(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
try { new Async\Thread; } catch (Error $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\spawn_thread() needs a thread-safe PHP, configured with --enable-zts; this one is not (see "Thread Safety" in php -i)
Async\ThreadPool::__construct() needs a thread-safe PHP, configured with --enable-zts; this one is not (see "Thread Safety" in php -i)
Async\ThreadChannel::__construct() needs a thread-safe PHP, configured with --enable-zts; this one is not (see "Thread Safety" in php -i)
Cannot directly construct Async\Thread, use the functions and methods of Async
