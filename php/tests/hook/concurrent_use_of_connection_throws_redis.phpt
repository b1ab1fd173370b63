--TEST--
Concurrent use of a Redis connection throws and loses nothing; a cancelled call throws its cancellation
--EXTENSIONS--
igbinary
redis
--SKIPIF--
<?php if (!getenv('TRUEASYNC_REDIS_HOST')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use function Async\{await, delay, spawn};

function connection(): Redis
{
    $redis = new Redis();
    $redis->connect(getenv('TRUEASYNC_REDIS_HOST'), (int) getenv('TRUEASYNC_REDIS_PORT'));
    return $redis;
}
$key = 'one-' . getmypid();
$redis = connection();
$waiter = spawn(fn () => $redis->blPop([$key], 30)[1]);
delay(10);
attempt(fn () => $redis->get($key));
attempt(fn () => $redis->close());
connection()->rPush($key, 'the first');
var_dump(await($waiter));
var_dump($redis->exists($key));

run_and_cancel(fn () => $redis->blPop([$key], 0));

// A callback of the connection may use the connection.
run_and_cancel(function () use ($key) {
    spawn(function () use ($key) { delay(5); connection()->publish($key, 'published'); });
    connection()->subscribe([$key], function ($redis, $channel, $message) {
        echo "$message ", $redis->isConnected() ? 'by a connection' : 'without a connection', "\n";
    });
});

$server = stream_socket_server('tcp://127.0.0.1:0');
$address = explode(':', stream_socket_get_name($server, false));
run_and_cancel(function () use ($address) {
    $redis = new Redis();
    $redis->connect($address[0], (int) $address[1]);
    $redis->ping();
});
var_dump(connection()->del($key));
?>
--EXPECTF--
Redis::get(): Connection or handle is in use by coroutine #N (Redis::blPop(), concurrent_use_of_connection_throws_redis.php:%d); use a separate one in each coroutine
Redis::close(): Connection or handle is in use by coroutine #N (Redis::blPop(), concurrent_use_of_connection_throws_redis.php:%d); use a separate one in each coroutine
string(9) "the first"
int(0)
Async\AsyncCancellation
bool(true)
published by a connection
Async\AsyncCancellation
bool(true)
Async\AsyncCancellation
bool(true)
int(0)
