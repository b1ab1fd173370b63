--TEST--
The pool of a pooled PDO may be used directly
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 1]);
$connection = $pdo->getPool()->acquire();
var_dump($connection instanceof PDO, $connection->getPool(), $connection->query('SELECT 1')->fetchColumn());
$connection->beginTransaction();
$pdo->getPool()->release($connection);
var_dump($connection->inTransaction());
unset($connection);
var_dump($pdo->query('SELECT 2')->fetchColumn());
echo counts($pdo), "\n";
$pdo->getPool()->close();
try {
    $pdo->query('SELECT 3');
} catch (Async\PoolException $error) {
    echo get_class($error), "\n";
}
--EXPECT--
bool(true)
NULL
int(1)
bool(false)
int(2)
count=1 idle=1 active=0
Async\PoolException
