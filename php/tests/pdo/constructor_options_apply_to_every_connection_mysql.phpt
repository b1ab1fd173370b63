--TEST--
DB-03 DB-04: constructor options and attributes apply to every connection, including disabled multi-statements
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = server_pool('mysql', [PDO::MYSQL_ATTR_MULTI_STATEMENTS => false, PDO::MYSQL_ATTR_FOUND_ROWS => true]);
$pdo->setAttribute(PDO::ATTR_AUTOCOMMIT, 0);
$all = [];
for ($i = 0; $i < 3; $i++) {
    $all[] = spawn(function () use ($pdo) {
        $statement = $pdo->query('SELECT @@autocommit');
        suspend();
        try {
            $pdo->query('SELECT 1; SELECT 2');
            $result = 'several';
        } catch (PDOException $error) {
            $result = $error->getCode();
        }
        return $statement->fetchColumn() . " $result";
    });
}
foreach ($all as $coroutine) {
    echo await($coroutine), "\n";
}
--EXPECT--
0 42000
0 42000
0 42000
