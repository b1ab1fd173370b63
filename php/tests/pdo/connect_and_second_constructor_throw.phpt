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
Cannot connect a pooled PDO to another target; create a new PDO with PDO::ATTR_POOL_ENABLED for that target
Cannot connect a pooled PDO to another target; create a new PDO with PDO::ATTR_POOL_ENABLED for that target
int(1)
