<?php
// Existing blocking code becomes concurrent with spawn(), unchanged: a database, a cache, a web service and a program.
// needs: pdo pdo_pgsql curl igbinary redis
// servers: PostgreSQL and Redis; scripts/servers/run_with.py starts both and sets the environment variables.
use function Async\{await_all_or_fail, spawn};

// Ordinary blocking code, without coroutines.
function customer(int $id): string
{
    $database = new PDO(getenv('TRUEASYNC_PGSQL_DSN'), getenv('TRUEASYNC_PGSQL_USER'), getenv('TRUEASYNC_PGSQL_PASSWORD'));
    $query = $database->prepare("SELECT 'customer ' || ? FROM pg_sleep(0.2)");
    $query->execute([$id]);
    return $query->fetchColumn();
}

function visits(int $id): string
{
    $redis = new Redis();
    $redis->connect(getenv('TRUEASYNC_REDIS_HOST'), (int) getenv('TRUEASYNC_REDIS_PORT'));
    $redis->blPop(["mail of $id"], 1);  // times out after 1 s
    return 'visit ' . $redis->incr("visits of $id");
}

function weather(string $service): string
{
    $curl = curl_init("http://$service/weather");
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    return curl_exec($curl);
}

function report(): string
{
    return trim(shell_exec('sleep 0.2; echo report written'));
}

// A slow web service. Usually another process; here a coroutine.
function serve_weather($listener): void
{
    $client = stream_socket_accept($listener, 60);
    while (rtrim(fgets($client)) !== '');
    usleep(200_000);
    fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nsunny");
    fclose($client);
}

if (!getenv('TRUEASYNC_PGSQL_DSN') || !getenv('TRUEASYNC_REDIS_HOST')) {
    fwrite(STDERR, "error: no PostgreSQL and Redis server given; use scripts/servers/run_with.py ./run {$argv[0]}\n");
    exit(2);
}
$listener = stream_socket_server('tcp://127.0.0.1:0');
$start = microtime(true);
spawn(serve_weather(...), $listener);
$results = await_all_or_fail([
    spawn(customer(...), 7),
    spawn(visits(...), 7),
    spawn(weather(...), stream_socket_get_name($listener, false)),
    spawn(report(...)),
]);
ksort($results);
echo implode("\n", $results), "\n";
printf("sequentially 1.6 s; concurrently %.1f s\n", microtime(true) - $start);
