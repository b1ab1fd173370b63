--TEST--
DB-04: an attribute that is sent to the server is applied to a connection after its transaction, not during it
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend};

$pdo = server_pool('mysql', [PDO::ATTR_AUTOCOMMIT => 0]);
$plain = server_pool('mysql', is_pooled: false);
$plain->exec('DROP TABLE IF EXISTS attribute_test');
$plain->exec('CREATE TABLE attribute_test (n int) ENGINE=InnoDB');
$rows = fn() => $plain->query('SELECT count(*) FROM attribute_test')->fetchColumn();
$is_open = $is_set = false;
$worker = spawn(function () use ($pdo, $rows, &$is_open, &$is_set) {
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO attribute_test VALUES (1)');
    $is_open = true;
    while (!$is_set) {
        suspend();
    }
    $row = $pdo->query('SELECT @@autocommit AS auto')->fetch();
    echo 'in the transaction: ', json_encode($row), ', visible: ', $rows(), " rows\n";
    $pdo->rollBack();
    echo 'after it: ', json_encode($pdo->query('SELECT @@autocommit AS auto')->fetch()), "\n";
    $pdo->exec('INSERT INTO attribute_test VALUES (2)');
    echo 'visible: ', $rows(), " rows\n";
});
while (!$is_open) {
    suspend();
}
var_dump($pdo->setAttribute(PDO::ATTR_AUTOCOMMIT, 1));
var_dump($pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC));
$is_set = true;
await($worker);
$plain->exec('DROP TABLE attribute_test');
--EXPECT--
bool(true)
bool(true)
in the transaction: {"auto":0}, visible: 0 rows
after it: {"auto":1}
visible: 1 rows
