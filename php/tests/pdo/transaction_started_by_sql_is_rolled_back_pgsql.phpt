--TEST--
DB-02: a transaction started by SQL is rolled back; the driver reports its state
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('DROP TABLE IF EXISTS trueasync_raw');
$pdo->exec('CREATE TABLE trueasync_raw (n int)');
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('BEGIN');
    $pdo->exec('INSERT INTO trueasync_raw VALUES (1)');
    var_dump($pdo->inTransaction());
});
run_in_coroutine(function () use ($pdo) {
    $pdo->beginTransaction();
    try {
        $pdo->exec('broken');
    } catch (PDOException) {
    }
});
var_dump($pdo->inTransaction(), $pdo->query('SELECT count(*) FROM trueasync_raw')->fetchColumn());
echo counts($pdo), "\n";
$pdo->exec('DROP TABLE trueasync_raw');
--EXPECT--
bool(true)
bool(false)
int(0)
count=1 idle=1 active=0
