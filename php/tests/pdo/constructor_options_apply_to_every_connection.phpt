--TEST--
DB-03: constructor options apply to every connection
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$writer = sqlite_pool();
$writer->exec('CREATE TABLE t (n INTEGER)');
$file = $writer->query('PRAGMA database_list')->fetch()['file'];
$pdo = new PDO("sqlite:$file", null, null, [
    PDO::ATTR_POOL_ENABLED => true,
    PDO::SQLITE_ATTR_OPEN_FLAGS => PDO::SQLITE_OPEN_READONLY,
    PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_NUM,
]);
$query = function () use ($pdo) {
    $kept = $pdo->query('SELECT 1');
    suspend();
    try {
        $pdo->exec('INSERT INTO t VALUES (1)');
    } catch (PDOException $error) {
        return $error->getMessage() . ' ' . json_encode($kept->fetch());
    }
};
foreach ([spawn($query), spawn($query), spawn($query)] as $coroutine) {
    echo await($coroutine), "\n";
}
var_dump($pdo->getAttribute(PDO::ATTR_DEFAULT_FETCH_MODE) === PDO::FETCH_NUM);
--EXPECT--
SQLSTATE[HY000]: General error: 8 attempt to write a readonly database [1]
SQLSTATE[HY000]: General error: 8 attempt to write a readonly database [1]
SQLSTATE[HY000]: General error: 8 attempt to write a readonly database [1]
bool(true)
