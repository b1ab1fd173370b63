--TEST--
Queries of pdo_mysql and mysqli suspend: concurrent queries finish in the order of their duration
--EXTENSIONS--
pdo
mysqlnd
pdo_mysql
mysqli
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/support.inc';
require __DIR__ . '/../pdo/db.inc';
use function Async\{await_all_or_fail, spawn};

var_dump(run_beside_other('connect and query', fn () => server_pool('mysql', [], false)->query('SELECT 42 + sleep(0.01)')->fetchColumn()));
await_all_or_fail(array_map(fn (int $tenths) => spawn(function () use ($tenths) {
    $pdo = server_pool('mysql', [], false);
    $pdo->query("SELECT sleep(0.$tenths)")->fetchAll();
    echo "$tenths tenths\n";
}), [9, 1, 5]));
var_dump(run_beside_other('mysqli', function () {
    $mysqli = new mysqli(getenv('TRUEASYNC_MYSQL_HOST'), getenv('TRUEASYNC_MYSQL_USER'), getenv('TRUEASYNC_MYSQL_PASSWORD'),
        'test', (int) getenv('TRUEASYNC_MYSQL_PORT'));
    return $mysqli->query("SELECT 'text', sleep(0.01)")->fetch_row()[0];
}));
?>
--EXPECT--
connect and query: begin other end
int(42)
1 tenths
5 tenths
9 tenths
mysqli: begin other end
string(4) "text"
