--TEST--
DB-11: an error caused by an unread result keeps the connection and its transaction
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';

foreach ([true, false] as $emulates) {
    $pdo = server_pool('mysql', [PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false, PDO::ATTR_EMULATE_PREPARES => $emulates]);
    $pdo->exec('DROP TABLE IF EXISTS unread_result');
    $pdo->exec('CREATE TABLE unread_result (n int) ENGINE=InnoDB');
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO unread_result VALUES (1)');
    $rows = $pdo->query('SELECT 1 UNION SELECT 2');
    $rows->fetch();
    try {
        $pdo->query('SELECT 3');
    } catch (PDOException $error) {
        echo $error->errorInfo[1], "\n";
    }
    echo $rows->fetchColumn(), "\n";
    $rows = null;
    var_dump($pdo->inTransaction());
    $pdo->commit();
    echo $pdo->query('SELECT count(*) FROM unread_result')->fetchColumn(), ' ', $pdo->getPool()->count(), "\n";
    $pdo->exec('DROP TABLE unread_result');
}
--EXPECT--
2014
2
bool(true)
1 1
2014
2
bool(true)
1 1
