--TEST--
phpredis commands suspend: blPop() gets a value that another coroutine pushes
--EXTENSIONS--
igbinary
redis
--SKIPIF--
<?php if (!getenv('TRUEASYNC_REDIS_HOST')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
use function Async\{await, spawn};

function connection(): Redis
{
    $redis = new Redis();
    $redis->connect(getenv('TRUEASYNC_REDIS_HOST'), (int) getenv('TRUEASYNC_REDIS_PORT'));
    return $redis;
}
$key = 'hook-' . getmypid();
var_dump(await(spawn(function () use ($key) {
    $redis = connection();
    $redis->set($key, 'value');
    return $redis->get($key);
})));
$waiter = spawn(fn () => connection()->blPop(["$key-list"], 10)[1]);
spawn(function () use ($key) {
    usleep(2000);
    echo "pushing\n";
    connection()->rPush("$key-list", 'pushed');
});
var_dump(await($waiter));
connection()->del($key);
?>
--EXPECT--
string(5) "value"
pushing
string(6) "pushed"
