--TEST--
Queries of pdo_pgsql and pgsql suspend: concurrent queries finish in the order of their duration
--EXTENSIONS--
pdo
pdo_pgsql
pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/support.inc';
require __DIR__ . '/../pdo/db.inc';
use function Async\{await_all_or_fail, spawn};

var_dump(run_beside_other('connect and query', fn () => server_pool('pgsql', [], false)->query('SELECT 41 + 1 FROM pg_sleep(0.01)')->fetchColumn()));
await_all_or_fail(array_map(fn (int $tenths) => spawn(function () use ($tenths) {
    $pdo = server_pool('pgsql', [], false);
    $pdo->query("SELECT pg_sleep(0.$tenths)")->fetchAll();
    echo "$tenths tenths\n";
}), [9, 1, 5]));
$connection = pg_connect(getenv('TRUEASYNC_PGSQL_CONNINFO'), PGSQL_CONNECT_FORCE_NEW);
var_dump(run_beside_other('pg_query', fn () => pg_fetch_result(pg_query($connection, "SELECT 'text' FROM pg_sleep(0.01)"), 0, 0)));
?>
--EXPECT--
connect and query: begin other end
int(42)
1 tenths
5 tenths
9 tenths
pg_query: begin other end
string(4) "text"
