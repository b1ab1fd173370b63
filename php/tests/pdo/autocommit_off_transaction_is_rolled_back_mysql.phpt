--TEST--
DB-02: a transaction started by autocommit=0 is rolled back, and autocommit is on for the next coroutine
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE OR REPLACE TABLE trueasync_raw (n int) ENGINE=InnoDB');
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('SET autocommit = 0');
    $pdo->exec('INSERT INTO trueasync_raw VALUES (1)');
    var_dump($pdo->inTransaction());
});
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('INSERT INTO trueasync_raw VALUES (2)');
});
echo json_encode($pdo->query('SELECT n FROM trueasync_raw')->fetchAll(PDO::FETCH_COLUMN)), "\n";
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('INSERT INTO trueasync_raw VALUES (3)');
    $pdo->query('SELECT n FROM trueasync_raw')->fetch();
    $pdo->exec('START TRANSACTION');
    $pdo->exec('DELETE FROM trueasync_raw');
});
var_dump($pdo->query('SELECT count(*) FROM trueasync_raw')->fetchColumn());
$pdo->exec('DROP TABLE trueasync_raw');
--EXPECT--
bool(true)
[2]
int(2)
