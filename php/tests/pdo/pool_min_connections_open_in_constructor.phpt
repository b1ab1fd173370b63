--TEST--
The constructor opens ATTR_POOL_MIN connections and throws their errors
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MIN => 2]);
echo counts($pdo), "\n";
try {
    new PDO('sqlite:/nowhere/at/all.db', null, null, [PDO::ATTR_POOL_ENABLED => true, PDO::ATTR_POOL_MIN => 1]);
} catch (PDOException $error) {
    echo $error->getMessage(), ' ', basename($error->getFile()), ':', $error->getLine(), "\n";
}
--EXPECT--
count=2 idle=2 active=0
SQLSTATE[HY000] [14] unable to open database file pool_min_connections_open_in_constructor.php:9
