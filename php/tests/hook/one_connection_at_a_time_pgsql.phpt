--TEST--
A connection to PostgreSQL that another coroutine is using refuses, and loses nothing
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
$query = spawn(fn () => $pdo->query("SELECT pg_sleep(0.1), 'the first'")->fetchColumn(1));
delay(10);
attempt(fn () => $pdo->query('SELECT 1'));
attempt(fn () => $prepared->execute());
attempt(fn () => $pdo->beginTransaction());
attempt(fn () => $pdo->inTransaction());
var_dump(await($query));
var_dump($pdo->query('SELECT 3')->fetchColumn());

// Two objects, one connection.
$open = fn () => new PDO(getenv('TRUEASYNC_PGSQL_DSN'), getenv('TRUEASYNC_PGSQL_USER'), null, [PDO::ATTR_PERSISTENT => true]);
$first = $open();
$second = $open();
$query = spawn(fn () => $first->query("SELECT pg_sleep(0.1), 'shared'")->fetchColumn(1));
delay(10);
attempt(fn () => $second->query('SELECT 1'));
var_dump(await($query), $second->query('SELECT 5')->fetchColumn());

$connection = pg_connect(getenv('TRUEASYNC_PGSQL_CONNINFO'));
$query = spawn(fn () => pg_fetch_result(pg_query($connection, "SELECT pg_sleep(0.1), 'the second'"), 0, 1));
delay(10);
attempt(fn () => pg_query($connection, 'SELECT 1'));
attempt(fn () => pg_close($connection));
attempt(fn () => pg_escape_literal($connection, 'text'));
var_dump(await($query));
var_dump(pg_fetch_result(pg_query($connection, 'SELECT 4'), 0, 0));
?>
--EXPECTF--
PDO::query(): coroutine #N is using it (PDO::query(), one_connection_at_a_time_pgsql.php:%d); one at a time
PDOStatement::execute(): coroutine #N is using it (PDO::query(), one_connection_at_a_time_pgsql.php:%d); one at a time
PDO::beginTransaction(): coroutine #N is using it (PDO::query(), one_connection_at_a_time_pgsql.php:%d); one at a time
done
string(9) "the first"
int(3)
PDO::query(): coroutine #N is using it (PDO::query(), one_connection_at_a_time_pgsql.php:%d); one at a time
string(6) "shared"
int(5)
pg_query(): coroutine #N is using it (pg_query(), one_connection_at_a_time_pgsql.php:%d); one at a time
pg_close(): coroutine #N is using it (pg_query(), one_connection_at_a_time_pgsql.php:%d); one at a time
done
string(10) "the second"
string(1) "4"
