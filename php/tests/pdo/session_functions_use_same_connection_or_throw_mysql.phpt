--TEST--
DB-01: a statement about an earlier statement runs on the same connection, or throws if that was released
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';

$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 1]);
$other = server_pool('mysql', is_pooled: false);
$other->exec('DROP TABLE IF EXISTS asked, uncounted, errors');
$other->exec('CREATE TABLE asked (id int auto_increment primary key, n int)');
$other->exec('CREATE TABLE uncounted (n int)');
$other->exec('CREATE TABLE errors (n int)');
$print_query = function (string $sql) use ($pdo) {
    try {
        $rows = json_encode($pdo->query($sql)->fetchAll(PDO::FETCH_NUM));
        echo "$sql: $rows\n";
    } catch (PDOException $error) {
        echo "$sql: ", strstr($error->getMessage(), ';', true), "\n";
    }
};
$use_connection = fn() => run_in_coroutine(fn() => $pdo->exec('INSERT INTO asked (n) VALUES (99), (99)'));

run_in_coroutine(function () use ($pdo, $print_query, $use_connection) {
    $print_query('SHOW COLUMNS FROM errors');
    $pdo->exec('INSERT INTO asked (n) VALUES (1)');
    $print_query('SELECT LAST_INSERT_ID()');
    $print_query('SELECT 1, ROW_COUNT()');
    $pdo->exec('INSERT INTO asked (n) VALUES (LAST_INSERT_ID())');
    $print_query('SELECT LAST_INSERT_ID ( )');
    echo "connection used by another coroutine\n";
    $use_connection();
    foreach (['SELECT LAST_INSERT_ID()', 'SELECT @@identity', 'SELECT ROW_COUNT()', 'SHOW WARNINGS'] as $sql) {
        $print_query($sql);
    }
    echo $pdo->lastInsertId(), "\n";
    $pdo->exec('INSERT INTO uncounted VALUES (1)');
    $print_query('SELECT LAST_INSERT_ID()');
    $print_query('INSERT INTO asked (n) VALUES (7); SELECT LAST_INSERT_ID()');
    $print_query('SHOW COLUMNS FROM uncounted');
});
echo "counted\n";
run_in_coroutine(function () use ($pdo, $print_query, $use_connection) {
    $rows = 'SELECT SQL_CALC_FOUND_ROWS n FROM (SELECT 1 n UNION SELECT 2 UNION SELECT 3) x LIMIT 1';
    $print_query($rows);
    $print_query('SELECT FOUND_ROWS()');
    $print_query($rows);
    $use_connection();
    $print_query('SELECT FOUND_ROWS()');
    $pdo->beginTransaction();
    $print_query('SELECT 1 UNION SELECT 2');
    $print_query('SELECT FOUND_ROWS()');
    $pdo->exec("INSERT IGNORE INTO uncounted VALUES ('x')");
    $print_query('SHOW COUNT(*) WARNINGS');
    $print_query('SELECT LAST_INSERT_ID()');
    $pdo->exec('UPDATE uncounted SET n = LAST_INSERT_ID(n + 5)');
    $print_query('SELECT LAST_INSERT_ID()');
    $pdo->rollBack();
});
$other->exec('DROP TABLE asked, uncounted, errors');
--EXPECT--
SHOW COLUMNS FROM errors: [["n","int(11)","YES","",null,""]]
SELECT LAST_INSERT_ID(): [[1]]
SELECT 1, ROW_COUNT(): [[1,-1]]
SELECT LAST_INSERT_ID ( ): [[2]]
connection used by another coroutine
SELECT LAST_INSERT_ID(): Cannot query the result of an earlier statement: its connection was returned to the pool
SELECT @@identity: Cannot query the result of an earlier statement: its connection was returned to the pool
SELECT ROW_COUNT(): Cannot query the result of an earlier statement: its connection was returned to the pool
SHOW WARNINGS: Cannot query the result of an earlier statement: its connection was returned to the pool
0
SELECT LAST_INSERT_ID(): Cannot query the result of an earlier statement: its connection was returned to the pool
INSERT INTO asked (n) VALUES (7); SELECT LAST_INSERT_ID(): []
SHOW COLUMNS FROM uncounted: [["n","int(11)","YES","",null,""]]
counted
SELECT SQL_CALC_FOUND_ROWS n FROM (SELECT 1 n UNION SELECT 2 UNION SELECT 3) x LIMIT 1: [[1]]
SELECT FOUND_ROWS(): [[3]]
SELECT SQL_CALC_FOUND_ROWS n FROM (SELECT 1 n UNION SELECT 2 UNION SELECT 3) x LIMIT 1: [[1]]
SELECT FOUND_ROWS(): Cannot query the result of an earlier statement: its connection was returned to the pool
SELECT 1 UNION SELECT 2: [[1],[2]]
SELECT FOUND_ROWS(): [[2]]
SHOW COUNT(*) WARNINGS: [[1]]
SELECT LAST_INSERT_ID(): Cannot query the result of an earlier statement: its connection was returned to the pool
SELECT LAST_INSERT_ID(): [[5]]
