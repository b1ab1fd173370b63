--TEST--
DB-02: a transaction that a coroutine leaves open is rolled back, also if it was started by SQL
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (n INTEGER)');
run_in_coroutine(function () use ($pdo) {
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (1)');
});
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('BEGIN');
    $pdo->exec('INSERT INTO t VALUES (2)');
    var_dump($pdo->inTransaction());
});
try {
    run_in_coroutine(function () use ($pdo) {
        $pdo->beginTransaction();
        $pdo->exec('INSERT INTO t VALUES (3)');
        throw new Exception('inside the transaction');
    });
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
var_dump($pdo->query('SELECT count(*) FROM t')->fetchColumn(), $pdo->inTransaction());
echo counts($pdo), "\n";
--EXPECT--
bool(true)
inside the transaction
int(0)
bool(false)
count=1 idle=1 active=0
