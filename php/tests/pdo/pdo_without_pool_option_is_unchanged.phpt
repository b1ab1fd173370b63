--TEST--
Without ATTR_POOL_ENABLED nothing is pooled
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$plain = new PDO('sqlite::memory:', null, null, [PDO::ATTR_POOL_ENABLED => false, PDO::ATTR_POOL_MAX => 3]);
var_dump($plain->getPool(), $plain->getAttribute(PDO::ATTR_POOL_ENABLED));
$plain->exec('CREATE TABLE t (n INTEGER)');
$plain->exec('INSERT INTO t VALUES (7)');
var_dump($plain->query('SELECT n FROM t')->fetchColumn(), $plain->inTransaction(), $plain->lastInsertId());
class UserPdo extends PDO {}
var_dump((new UserPdo('sqlite::memory:'))->getPool());
try {
    $plain->commit();
} catch (PDOException $error) {
    echo $error->getMessage(), "\n";
}
--EXPECT--
NULL
bool(false)
int(7)
bool(false)
string(1) "1"
NULL
There is no active transaction
