--TEST--
Concurrent use of a MariaDB connection throws and loses nothing; a cancelled call throws its cancellation
--EXTENSIONS--
mysqlnd
mysqli
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use function Async\{await, delay, spawn};

class Database extends mysqli {}
function connection(): mysqli
{
    return new Database(getenv('TRUEASYNC_MYSQL_HOST'), getenv('TRUEASYNC_MYSQL_USER'), getenv('TRUEASYNC_MYSQL_PASSWORD'),
        'test', (int) getenv('TRUEASYNC_MYSQL_PORT'));
}
$mysqli = connection();
$query = spawn(fn () => $mysqli->query("SELECT sleep(0.5), 'the first'")->fetch_row()[1]);
delay(10);
attempt(fn () => $mysqli->query('SELECT 1'));
attempt(fn () => mysqli_query($mysqli, 'SELECT 1'));
attempt(fn () => $mysqli->close());
attempt(fn () => $mysqli->real_escape_string('text'));
var_dump(await($query));
var_dump($mysqli->query('SELECT 3')->fetch_row()[0]);

// Rows that are fetched unbuffered.
$rows = $mysqli->query("SELECT seq, repeat('x', 40000), sleep(0.1) FROM seq_1_to_5", MYSQLI_USE_RESULT);
$fetch = spawn(function () use ($rows) { while ($row = $rows->fetch_row()) $all[] = $row[0]; return implode(' ', $all); });
while (!str_contains(implode($fetch->getAwaitingInfo()), 'fetch_row')) delay(1);
attempt(fn () => $rows->fetch_row());
attempt(fn () => $rows->free());
var_dump(await($fetch));

run_and_cancel(fn () => $mysqli->query('SELECT sleep(3600)'));
run_and_cancel(fn () => connection()->execute_query('SELECT sleep(3600)'));

// A server that never sends its greeting.
$server = stream_socket_server('tcp://127.0.0.1:0');
$address = explode(':', stream_socket_get_name($server, false));
run_and_cancel(fn () => new mysqli($address[0], 'user', '', null, (int) $address[1]));
run_and_cancel(fn () => new PDO("mysql:host=$address[0];port=$address[1]", 'user'));
?>
--EXPECTF--
mysqli::query(): Connection or handle is in use by coroutine #N (mysqli::query(), concurrent_use_of_connection_throws_mysql.php:%d); use a separate one in each coroutine
mysqli_query(): Connection or handle is in use by coroutine #N (mysqli::query(), concurrent_use_of_connection_throws_mysql.php:%d); use a separate one in each coroutine
mysqli::close(): Connection or handle is in use by coroutine #N (mysqli::query(), concurrent_use_of_connection_throws_mysql.php:%d); use a separate one in each coroutine
done
string(9) "the first"
string(1) "3"
mysqli_result::fetch_row(): Connection or handle is in use by coroutine #N (mysqli_result::fetch_row(), concurrent_use_of_connection_throws_mysql.php:%d); use a separate one in each coroutine
mysqli_result::free(): Connection or handle is in use by coroutine #N (mysqli_result::fetch_row(), concurrent_use_of_connection_throws_mysql.php:%d); use a separate one in each coroutine
string(9) "1 2 3 4 5"
Async\AsyncCancellation
bool(true)
Async\AsyncCancellation
bool(true)
Async\AsyncCancellation
bool(true)
Async\AsyncCancellation
bool(true)
