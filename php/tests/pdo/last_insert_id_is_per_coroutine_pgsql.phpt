--TEST--
lastInsertId() is per coroutine, and throws if the connection went to another coroutine
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
$pdo->exec('DROP TABLE IF EXISTS trueasync_ids');
$pdo->exec('CREATE TABLE trueasync_ids (id serial, n int)');
$pdo->exec('INSERT INTO trueasync_ids (n) VALUES (1)');
var_dump($pdo->lastInsertId(), $pdo->lastInsertId('trueasync_ids_id_seq'));
run_in_coroutine(function () use ($pdo) {
    try {
        $pdo->lastInsertId();
    } catch (PDOException $error) {
        echo $error->getMessage(), "\n";
    }
    $pdo->query('SELECT 1')->fetchAll();
});
try {
    $pdo->lastInsertId();
} catch (PDOException $error) {
    echo $error->getMessage(), "\n";
}
$pdo->exec('DROP TABLE trueasync_ids');
--EXPECT--
string(1) "1"
string(1) "1"
The last insert id is not available: this coroutine has not inserted a row
The last insert id is not available: its connection was returned to the pool; use RETURNING or a transaction
