--TEST--
DB-16: connect() and a second constructor call on a pooled object throw
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool();
foreach ([fn() => $pdo->__construct('sqlite:/tmp/other'), fn() => $pdo->connect('sqlite:/tmp/other')] as $call) {
    try {
        $call();
    } catch (PDOException $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump($pdo->query('SELECT 1')->fetchColumn());
--EXPECT--
A pooled PDO connects by itself: give the target to the constructor, with PDO::ATTR_POOL_ENABLED, of another one
A pooled PDO connects by itself: give the target to the constructor, with PDO::ATTR_POOL_ENABLED, of another one
int(1)
