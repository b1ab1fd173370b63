--TEST--
DB-05 DB-06: calls that need no connection open none
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_STMT_CACHE_SIZE => 8, PDO::ATTR_POOL_HEALTHCHECK_INTERVAL => 30]);
var_dump($pdo->inTransaction(), $pdo->errorCode(), $pdo->errorInfo());
var_dump($pdo->getAttribute(PDO::ATTR_DRIVER_NAME), $pdo->getAttribute(PDO::ATTR_ERRMODE) === PDO::ERRMODE_EXCEPTION);
foreach (['ENABLED', 'MIN', 'MAX', 'HEALTHCHECK_INTERVAL', 'STMT_CACHE_SIZE'] as $name) {
    echo $name, ' ', json_encode($pdo->getAttribute(constant("PDO::ATTR_POOL_$name"))), "\n";
}
foreach (['commit', 'rollBack'] as $method) {
    try {
        $pdo->$method();
    } catch (PDOException $error) {
        echo $error->getMessage(), "\n";
    }
}
echo counts($pdo), "\n";
--EXPECT--
bool(false)
string(5) "00000"
array(3) {
  [0]=>
  string(5) "00000"
  [1]=>
  NULL
  [2]=>
  NULL
}
string(6) "sqlite"
bool(true)
ENABLED true
MIN 0
MAX 4
HEALTHCHECK_INTERVAL 30
STMT_CACHE_SIZE 8
There is no active transaction
There is no active transaction
count=0 idle=0 active=0
