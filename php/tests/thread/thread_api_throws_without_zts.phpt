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
Cannot call Async\spawn_thread(): threads require a thread-safe PHP (built with --enable-zts)
Cannot call Async\ThreadPool::__construct(): threads require a thread-safe PHP (built with --enable-zts)
Cannot call Async\ThreadChannel::__construct(): threads require a thread-safe PHP (built with --enable-zts)
Cannot directly construct Async\Thread, use the functions and methods of Async
