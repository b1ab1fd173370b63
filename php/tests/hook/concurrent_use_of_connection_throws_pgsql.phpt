--TEST--
Concurrent use of a PostgreSQL connection throws and loses nothing
--EXTENSIONS--
pdo
pdo_pgsql
pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/../pdo/db.inc';
require __DIR__ . '/attempt.inc';
use function Async\{await, delay, spawn};

$pdo = server_pool('pgsql', [], false);
$prepared = $pdo->prepare('SELECT 2');
$query = spawn(fn () => $pdo->query("SELECT pg_sleep(0.5), 'the first'")->fetchColumn(1));
delay(10);
attempt(fn () => $pdo->query('SELECT 1'));
attempt(fn () => $prepared->execute());
attempt(fn () => $pdo->beginTransaction());
attempt(fn () => $pdo->inTransaction());
var_dump(await($query));
var_dump($pdo->query('SELECT 3')->fetchColumn());

// Two objects that share one connection.
$open = fn () => new PDO(getenv('TRUEASYNC_PGSQL_DSN'), getenv('TRUEASYNC_PGSQL_USER'), null, [PDO::ATTR_PERSISTENT => true]);
$first = $open();
$second = $open();
$query = spawn(fn () => $first->query("SELECT pg_sleep(0.5), 'shared'")->fetchColumn(1));
delay(10);
attempt(fn () => $second->query('SELECT 1'));
var_dump(await($query), $second->query('SELECT 5')->fetchColumn());

// foreach uses the connection to fetch.
$pdo->exec('CREATE TEMPORARY TABLE numbers AS SELECT generate_series(1, 3) AS number');
$loop = spawn(function () use ($pdo) {
    $pdo->beginTransaction();
    $statement = $pdo->prepare('SELECT number, pg_sleep(0.4) FROM numbers', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
    $statement->execute();
    foreach ($statement as $row) {
        $GLOBALS['row'] = $row;
        echo $row[0], "\n";
    }
    $pdo->rollBack();
});
while (!isset($GLOBALS['row'])) delay(1);
attempt(fn () => $pdo->query('SELECT 1'));
await($loop);

// A statement destroyed while the connection is in use is closed when the connection is free.
$statement = $pdo->prepare('SELECT 1');
$statement->execute();
$query = spawn(fn () => $pdo->query("SELECT pg_sleep(0.5), 'unaffected'")->fetchColumn(1));
delay(10);
unset($statement);
var_dump(await($query), $pdo->query('SELECT count(*) FROM pg_prepared_statements')->fetchColumn());

$persistent = pg_pconnect(getenv('TRUEASYNC_PGSQL_CONNINFO'));
$again = pg_pconnect(getenv('TRUEASYNC_PGSQL_CONNINFO'));
$query = spawn(fn () => pg_fetch_result(pg_query($persistent, "SELECT pg_sleep(0.5), 'the same'"), 0, 1));
delay(10);
attempt(fn () => pg_query($again, 'SELECT 1'));
var_dump(await($query));

$connection = pg_connect(getenv('TRUEASYNC_PGSQL_CONNINFO'));
$query = spawn(fn () => pg_fetch_result(pg_query($connection, "SELECT pg_sleep(0.5), 'the second'"), 0, 1));
delay(10);
attempt(fn () => pg_query($connection, 'SELECT 1'));
attempt(fn () => pg_close($connection));
attempt(fn () => pg_escape_literal($connection, 'text'));
var_dump(await($query));
var_dump(pg_fetch_result(pg_query($connection, 'SELECT 4'), 0, 0));
?>
--EXPECTF--
PDO::query(): Connection or handle is in use by coroutine #N (PDO::query(), concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
PDOStatement::execute(): Connection or handle is in use by coroutine #N (PDO::query(), concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
PDO::beginTransaction(): Connection or handle is in use by coroutine #N (PDO::query(), concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
done
string(9) "the first"
int(3)
PDO::query(): Connection or handle is in use by coroutine #N (PDO::query(), concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
string(6) "shared"
int(5)
1
PDO::query(): Connection or handle is in use by coroutine #N (concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
2
3
string(10) "unaffected"
int(%d)
pg_query(): Connection or handle is in use by coroutine #N (pg_query(), concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
string(8) "the same"
pg_query(): Connection or handle is in use by coroutine #N (pg_query(), concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
pg_close(): Connection or handle is in use by coroutine #N (pg_query(), concurrent_use_of_connection_throws_pgsql.php:%d); use a separate one in each coroutine
done
string(10) "the second"
string(1) "4"
